"""Leaving the model, the random generators and torch's modes as they were."""

from __future__ import annotations

import contextlib
import importlib
import random
import sys
from collections.abc import Callable, Iterable, Iterator

import torch

from onnx_ir_capture.fx._held_containers import HeldContainers

__all__ = ["attention_in_parts", "model_untouched", "onnx_export_flag", "values_kept"]

_FLAGS_MODULE = "torch.onnx._internal.torchscript_exporter._globals"


@contextlib.contextmanager
def model_untouched(*models: torch.nn.Module | None) -> Iterator[None]:
    """Put back afterwards, also after a failure, what running the models' forward can change.

    These are the attributes of every submodule (training flags, hooks, parameters and buffers among them)
    with their lists, dicts, sets and deques, ``requires_grad`` of parameters, the values of tensors that are
    plain attributes, the random states of torch (CPU), Python and numpy, and the grad mode. Parameters and
    buffers are fakes while torch.export runs, so their values cannot change.
    """
    unique = dict.fromkeys(module for model in models if model is not None for module in model.modules())
    modules = [_ModuleState(module) for module in unique]
    torch_state, python_state = torch.get_rng_state(), random.getstate()
    numpy_random = sys.modules.get("numpy.random")
    numpy_state = numpy_random.get_state() if numpy_random is not None else None
    grad = torch.is_grad_enabled()

    def restore() -> None:
        for module in modules:
            module.restore()
        torch.set_rng_state(torch_state)
        random.setstate(python_state)
        if numpy_random is not None:
            numpy_random.set_state(numpy_state)
        torch.set_grad_enabled(grad)

    try:
        yield
    finally:
        _whole(restore)


def _whole(restore: Callable[[], None]) -> None:
    """Run to the end what may be run twice; an interrupt that comes meanwhile is raised afterwards."""
    try:
        restore()
    except KeyboardInterrupt:
        restore()
        raise


class _ModuleState:
    """The attributes of one module, their containers, and plain tensors' values."""

    def __init__(self, module: torch.nn.Module) -> None:
        self._attributes = vars(module)
        self._saved = dict(self._attributes)
        self._containers = HeldContainers(self._saved)
        self._grads = [
            (value, value.requires_grad) for value in module._parameters.values() if value is not None
        ]
        self._tensors = _kept(self._containers.tensors)

    def restore(self) -> None:
        self._attributes.clear()
        self._attributes.update(self._saved)
        self._containers.restore()
        for parameter, requires_grad in self._grads:
            parameter.requires_grad_(requires_grad)
        for tensor in self._tensors:
            tensor.restore()


class _KeptTensor:
    """A tensor and the values that it had."""

    def __init__(self, tensor: torch.Tensor) -> None:
        self._tensor = tensor
        self._version = tensor._version
        self._values = tensor.detach().clone()

    def restore(self) -> None:
        if self._is_written():
            self._tensor.detach().copy_(self._values)

    def _is_written(self) -> bool:
        if self._tensor._version != self._version:
            return True
        # A write through ``.data`` is not counted, and only values show it.
        has_values = not self._tensor.is_meta and not isinstance(self._tensor, torch._subclasses.FakeTensor)
        return has_values and not torch.equal(_comparable(self._tensor), _comparable(self._values))


def _comparable(tensor: torch.Tensor) -> torch.Tensor:
    """``tensor`` in a dtype that torch compares."""
    return torch.view_as_real(tensor) if tensor.dtype == torch.complex32 else tensor


def _kept(tensors: Iterable[torch.Tensor]) -> list[_KeptTensor]:
    """The tensors, each once, but for those of inference mode, which nothing may write outside of it."""
    return [_KeptTensor(tensor) for tensor in dict.fromkeys(tensors) if not tensor.is_inference()]


@contextlib.contextmanager
def values_kept(tensors: Iterable[torch.Tensor]) -> Iterator[None]:
    """Put back afterwards what the block writes into tensors; those made in inference mode are left alone."""
    saved = _kept(tensors)

    def restore() -> None:
        for tensor in saved:
            tensor.restore()

    try:
        yield
    finally:
        _whole(restore)


@contextlib.contextmanager
def attention_in_parts() -> Iterator[None]:
    """Meanwhile attention layers compute what they say, op by op, as they do while they are trained.

    Their fast path is one operator of its own, and leaves zeros where a padding mask has hidden the input.
    """
    before = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        yield
    finally:
        torch.backends.mha.set_fastpath_enabled(before)


@contextlib.contextmanager
def onnx_export_flag() -> Iterator[None]:
    """Meanwhile ``torch.onnx.is_in_onnx_export()`` answers True, so that models can tell.

    The flag is all that is ever taken of torch.onnx: a model that asks for it may load that later than this.
    """
    flags = getattr(importlib.import_module(_FLAGS_MODULE), "GLOBALS", None)
    if flags is None:
        raise RuntimeError(f"this version of torch does not keep its export flag in {_FLAGS_MODULE}")
    before = flags.in_onnx_export
    flags.in_onnx_export = True
    try:
        yield
    finally:
        flags.in_onnx_export = before
