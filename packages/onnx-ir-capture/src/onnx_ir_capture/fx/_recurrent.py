"""Recurrent networks in torch.export, for any number of steps."""

from __future__ import annotations

import contextlib
import contextvars
import threading
from collections.abc import Callable, Iterator, Sequence

import torch
from torch._C import DispatchKey
from torch._subclasses import FakeTensor
from torch.fx.experimental.proxy_tensor import get_proxy_mode

__all__ = ["any_number_of_steps"]

_Kernel = Callable[..., Sequence[torch.Tensor]]
_Operator = torch._ops.OpOverload[..., object]

_PADDED: tuple[_Operator, ...] = (
    torch.ops.aten.lstm.input,
    torch.ops.aten.gru.input,
    torch.ops.aten.rnn_tanh.input,
    torch.ops.aten.rnn_relu.input,
)
_KEYS = (DispatchKey.Autograd, DispatchKey.CompositeImplicitAutograd)
_BATCH_FIRST = 8

_is_capturing = contextvars.ContextVar("onnx_ir_capture.is_capturing", default=False)
_lock = threading.Lock()
_captures = 0
_torch_kernels: dict[tuple[_Operator, DispatchKey], _Kernel] = {}


@contextlib.contextmanager
def any_number_of_steps() -> Iterator[None]:
    """Meanwhile torch.export captures a recurrent network without fixing how many steps it takes.

    Such an operator is recorded as one call, but torch then finds the types of its results by kernels in
    Python that take one step after the other, so that the number of steps becomes a constant. Here they take
    one step, whose results have all sizes but that number. The kernels of a process are shared: in other
    threads, and for tensors with values, they stay what they are.
    """
    global _captures
    with _lock:
        if not _captures:
            _put_kernels()
        _captures += 1
    before = _is_capturing.set(True)
    try:
        yield
    finally:
        _is_capturing.reset(before)
        with _lock:
            _captures -= 1
            if not _captures:
                _restore_kernels()


def _put_kernels() -> None:
    for op in _PADDED:
        for key in _KEYS:
            if key in op.py_kernels:
                kernel = _torch_kernels[op, key] = op.py_kernels[key]
                op.py_kernels[key] = _of_one_step(kernel)
        op._dispatch_cache.clear()


def _restore_kernels() -> None:
    for (op, key), kernel in _torch_kernels.items():
        op.py_kernels[key] = kernel
        op._dispatch_cache.clear()
    _torch_kernels.clear()


def _of_one_step(kernel: _Kernel) -> _Kernel:
    def run(input: torch.Tensor, *rest: object) -> Sequence[torch.Tensor]:
        # While a proxy mode is active, the call itself is not recorded yet, but what it does would be.
        is_recorded = _is_capturing.get() and isinstance(input, FakeTensor) and get_proxy_mode() is None
        if not is_recorded or input.dim() != 3:
            return kernel(input, *rest)
        time, batch = (1, 0) if rest[_BATCH_FIRST - 1] else (0, 1)
        sizes = list(input.shape)
        steps, sizes[time] = sizes[time], 1
        output, *states = kernel(input.new_empty(sizes), *rest)
        whole = output.new_empty([steps, output.shape[batch], output.shape[2]])
        return (whole.transpose(0, 1) if time else whole, *states)

    return run
