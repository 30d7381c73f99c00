"""Tensors of the program as tensors of the graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NoReturn, TypeVar

import torch
from onnx_ir import tensor_adapters
from torch.utils import _pytree as pytree

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.fx._arguments import Arguments
from onnx_ir_capture.program import WeightKind
from onnx_ir_capture.rules import WEIGHT_RENAMED

__all__ = ["fake_instead_of_meta", "report_renamed", "view_key", "weight_tensor"]


_Weight = TypeVar("_Weight", bound=torch.Tensor)


class _WithoutValues(tensor_adapters.TorchTensor):
    """A weight on the meta device, or a fake one, which gets its values after the export."""

    def numpy(self) -> NoReturn:
        # What onnx_ir raises for external data that is not there, and type inference takes for "not known".
        raise FileNotFoundError(f"the weight {self.name!r} has no values yet")

    def tobytes(self) -> NoReturn:
        self.numpy()


def view_key(tensor: torch.Tensor) -> tuple[object, ...]:
    """Equal for tensors that are the same view of the same memory, as tied weights are; memory is first."""
    if tensor.is_meta or isinstance(tensor, torch._subclasses.FakeTensor):
        return (id(tensor),)
    return (
        tensor.untyped_storage()._cdata,
        tensor.storage_offset(),
        tuple(tensor.shape),
        tensor.stride(),
        tensor.dtype,
        tensor.is_conj(),
        tensor.is_neg(),
    )


def weight_tensor(tensor: torch.Tensor, name: str) -> tensor_adapters.TorchTensor:
    """A view on ``tensor``, which may have no values."""
    # Some kernels choose their path by requires_grad, so the alias keeps it.
    alias = tensor.detach().requires_grad_(tensor.requires_grad)
    is_fake = isinstance(alias, torch._subclasses.FakeTensor)
    cls = _WithoutValues if alias.is_meta or is_fake else tensor_adapters.TorchTensor
    return cls(alias, name=name)


def report_renamed(
    paths: Mapping[str, str], kinds: Mapping[str, WeightKind], diagnostics: DiagnosticContext
) -> None:
    """Report the parameters and buffers that have another name in the graph than in the model.

    Args:
        paths: where the weights stand in the model, by their names in the graph.
        kinds: what they are, by the same names.
        diagnostics: gets a note of each.
    """
    for name, path in paths.items():
        if name != path and kinds[name] is not WeightKind.CONSTANT:
            diagnostics.report(WEIGHT_RENAMED, name=path, other=name)


def fake_instead_of_meta(module: torch.nn.Module, arguments: Arguments) -> Arguments:
    """Put fake tensors of the CPU where the module has weights on the meta device.

    Otherwise they would not meet the example inputs, or what the model makes itself, on one device.

    Returns:
        The arguments, likewise.
    """
    mode = torch._subclasses.FakeTensorMode(allow_non_fake_inputs=True)
    known: dict[int, torch.Tensor] = {}
    parameters: dict[int, torch.nn.Parameter] = {}

    def fake(tensor: torch.Tensor) -> torch.Tensor:
        if id(tensor) not in known:
            with mode:
                known[id(tensor)] = torch.empty_strided(
                    tensor.shape, tensor.stride(), dtype=tensor.dtype, device="cpu"
                )
        return known[id(tensor)]

    def fake_parameter(parameter: torch.nn.Parameter) -> torch.nn.Parameter:
        if id(parameter) not in parameters:
            parameters[id(parameter)] = torch.nn.Parameter(fake(parameter), parameter.requires_grad)
        return parameters[id(parameter)]

    for part in module.modules():
        _replace(part._parameters, fake_parameter)
        _replace(part._buffers, fake)
    if not known:
        return arguments
    args, kwargs = pytree.tree_map_only(
        torch.Tensor, lambda tensor: fake(tensor) if tensor.is_meta else tensor, arguments
    )
    return args, kwargs


def _replace(store: dict[str, _Weight | None], fake: Callable[[_Weight], _Weight]) -> None:
    on_meta = [(name, weight) for name, weight in store.items() if weight is not None and weight.is_meta]
    store.update((name, fake(weight)) for name, weight in on_meta)
