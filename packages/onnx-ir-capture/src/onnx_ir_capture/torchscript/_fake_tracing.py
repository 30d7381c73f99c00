"""Traces that compute sizes and no values."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence

import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode

from onnx_ir_capture.fx._fake_runs import silenced, without_mkldnn
from onnx_ir_capture.torchscript._nodes import constant_tensor

__all__ = ["SizesOnly", "is_worthwhile", "took_for_constant"]

_LARGE = 1 << 24
"""Bytes of weights from which on a run takes longer than the sizes alone, and memory that is noticed."""

# torch's type information lacks it.
_set_tracing_state: Callable[[object], None] = vars(torch._C)["_set_tracing_state"]

_CONVOLUTION_FLAGS = (False, False, True, True)
"""benchmark, deterministic, cudnn_enabled and allow_tf32, which no graph keeps."""


def is_worthwhile(weights: Mapping[str, torch.Tensor]) -> bool:
    """Whether a model is so large that its trace should compute no values."""
    return sum(tensor.nbytes for tensor in weights.values() if tensor.layout == torch.strided) > _LARGE


def took_for_constant(graph: torch._C.Graph) -> bool:
    """Whether a trace lost sight of a tensor that depends on its inputs, and took it for a constant."""
    return any(isinstance(constant_tensor(node), FakeTensor) for node in graph.nodes())


class SizesOnly(TorchDispatchMode):
    """Meanwhile what depends on an input has sizes and no values; all else is computed.

    What a trace keeps as a constant depends on no input, and is as in a real run. A model that asks for a
    value that depends on an input raises.
    """

    def __init__(self) -> None:
        TorchDispatchMode.__init__(self)
        self._fakes = FakeTensorMode(allow_non_fake_inputs=True)

    def inputs(self, tensors: Sequence[torch.Tensor]) -> tuple[torch.Tensor, ...]:
        """Inputs of the same sizes."""
        return tuple(self._fakes.from_tensor(tensor, static_shapes=True) for tensor in tensors)

    @contextlib.contextmanager
    def quietly(self) -> Iterator[None]:
        """This mode, and no word of what it cannot run: a real run takes its place."""
        with silenced("torch._subclasses.fake_tensor"), without_mkldnn(), self:
            yield

    def __torch_dispatch__(
        self,
        func: Callable[..., object],
        types: Sequence[type],
        args: tuple[object, ...] = (),
        kwargs: Mapping[str, object] | None = None,
    ) -> object:
        named = kwargs or {}
        if not any(issubclass(kind, FakeTensor) for kind in types):
            return func(*args, **named)
        if func is torch.ops.aten.convolution.default:
            # The tracer passes over this one, and records what it is made of.
            with self, _excluded(False):
                return torch.ops.aten._convolution.default(*args, *_CONVOLUTION_FLAGS)
        state = torch._C._get_tracing_state()
        with _excluded(False):  # else torch does not let the state be set
            _set_tracing_state(None)
            try:
                # Sizes are tensors while a trace is recorded, which no implementation of a fake call expects.
                with self._fakes:
                    return func(*args, **named)
            finally:
                _set_tracing_state(state)


@contextlib.contextmanager
def _excluded(is_excluded: bool) -> Iterator[None]:
    """Meanwhile calls go past the tracer, or not."""
    before = torch._C._dispatch_tls_is_dispatch_key_excluded("Tracer")
    torch._C._dispatch_tls_set_dispatch_key_excluded("Tracer", is_excluded)
    try:
        yield
    finally:
        torch._C._dispatch_tls_set_dispatch_key_excluded("Tracer", before)
