"""Recurrent networks in torch.export, for any number of steps."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence

import torch
from torch._C import DispatchKey
from torch._decomp import decomposition_table
from torch._subclasses import FakeTensor, FakeTensorMode
from torch._subclasses.fake_impls import FAST_OP_IMPLEMENTATIONS
from torch.fx.experimental.proxy_tensor import get_proxy_mode

from onnx_ir_capture.fx._replaced import changed_while_capturing, is_captured_here

__all__ = ["any_number_of_steps", "without_steps"]

_Kernel = Callable[..., Sequence[torch.Tensor]]
_Operator = torch._ops.OpOverload[..., object]

_PADDED: tuple[_Operator, ...] = (
    torch.ops.aten.lstm.input,
    torch.ops.aten.gru.input,
    torch.ops.aten.rnn_tanh.input,
    torch.ops.aten.rnn_relu.input,
)
_KEYS = (DispatchKey.Autograd, DispatchKey.CompositeImplicitAutograd)

# torch warns that tensors are attributes which no one registered: of the list in which its own recurrent
# layers hold their parameters a second time.
_ITEM = r"self(\.\w+)*\._flat_weights\[\d+\]"
_HELD_AGAIN = rf"The tensor attributes {_ITEM}(, {_ITEM})* were assigned during export"


@contextlib.contextmanager
def any_number_of_steps() -> Iterator[None]:
    """Meanwhile torch.export captures a recurrent network without fixing how many steps it takes.

    Such an operator is recorded as one call, but torch then finds the types of its results by kernels in
    Python that take one step after the other, so that the number of steps becomes a constant. Here they take
    one step, whose results have all sizes but that number. The kernels of a process are shared: in other
    threads, and for tensors with values, they stay what they are.
    """
    with changed_while_capturing(_PADDED, _put_kernels), warnings.catch_warnings():
        warnings.filterwarnings("ignore", _HELD_AGAIN)
        yield


def without_steps(
    table: Mapping[torch._ops.OperatorBase, Callable[..., object]],
) -> dict[torch._ops.OperatorBase, Callable[..., object]]:
    """The decompositions but for torch's own of recurrent networks, which fix the number of steps."""
    own = {decomposition_table[op] for op in _PADDED}
    return {op: function for op, function in table.items() if op not in _PADDED or function not in own}


def _put_kernels() -> Callable[[], None]:
    """Put the kernels in place of torch's own; return what puts those back."""
    own = {(op, key): op.py_kernels[key] for op in _PADDED for key in _KEYS}
    for (op, key), kernel in own.items():
        op.py_kernels[key] = _of_one_step(kernel)
        op._dispatch_cache.clear()
    for op in _PADDED:
        # Where calls are traced below autograd, FakeTensorMode looks here before it takes an operator apart.
        FAST_OP_IMPLEMENTATIONS[op] = _in_mode(op.py_kernels[_KEYS[0]])

    def restore() -> None:
        for (op, key), kernel in own.items():
            op.py_kernels[key] = kernel
            op._dispatch_cache.clear()
        for op in _PADDED:
            FAST_OP_IMPLEMENTATIONS.pop(op, None)

    return restore


def _in_mode(kernel: _Kernel) -> _Kernel:
    def run(mode: FakeTensorMode, *arguments: object) -> Sequence[torch.Tensor]:
        with mode:
            return kernel(*arguments)

    return run


def _of_one_step(kernel: _Kernel) -> _Kernel:
    def run(input: torch.Tensor, *rest: object) -> Sequence[torch.Tensor]:
        # While a proxy mode is active, the call itself is not recorded yet, but what it does would be.
        is_recorded = is_captured_here() and isinstance(input, FakeTensor) and get_proxy_mode() is None
        if not is_recorded or input.dim() != 3:
            return kernel(input, *rest)
        *_, batch_first = rest
        time, batch = (1, 0) if batch_first else (0, 1)
        sizes = list(input.shape)
        steps, sizes[time] = sizes[time], 1
        output, *states = kernel(input.new_empty(sizes), *rest)
        whole = output.new_empty([steps, output.shape[batch], output.shape[2]])
        return (whole.transpose(0, 1) if time else whole, *states)

    return run
