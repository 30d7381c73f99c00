"""Weights of another checkpoint for a model that is exported already."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field

import onnx_ir as ir
import torch
from onnx_ir import tensor_adapters

from onnx_export._complex import as_pairs, complex_weights
from onnx_ir_capture.program import CapturedProgram, WeightKind

__all__ = ["WeightNames", "apply_weights"]

_IN_STATE_DICT = (WeightKind.PARAMETER, WeightKind.BUFFER)


@dataclass(frozen=True)
class WeightNames:
    """What the ``state_dict`` calls the weights of a file.

    Attributes:
        of: for each initializer that the exported graph uses its names in the ``state_dict``: more than one
            where weights are tied.
        unused: further names in the ``state_dict``, which the graph does not need.
        complex: the initializers that are complex in PyTorch, and pairs in the file.
    """

    of: Mapping[str, Sequence[str]]
    unused: Collection[str]
    complex: Collection[str] = ()

    @classmethod
    def read(cls, model: ir.Model, program: CapturedProgram) -> WeightNames:
        """The names for ``model`` as ``program`` was lowered to it."""
        used = {str(name) for name, value in model.graph.initializers.items() if _is_used(value)}
        if not isinstance(program.origin, torch.export.ExportedProgram):
            names = [name for name, kind in program.weights.items() if kind in _IN_STATE_DICT]
            of = {name: [name] for name in names if name in used}
            return cls(of, set(names) - used, complex_weights(program))
        by_memory: dict[Hashable, list[str]] = {}
        for name, tensor in program.origin.state_dict.items():
            by_memory.setdefault(_memory(tensor), []).append(name)
        of = {
            name: by_memory[key]
            for name, value in program.model.graph.initializers.items()
            if name in used and (key := _memory_of(value)) in by_memory
        }
        taken = {name for names in of.values() for name in names}
        return cls(of, set(program.origin.state_dict) - taken, complex_weights(program))


def apply_weights(
    model: ir.Model, names: WeightNames, state_dict: Mapping[str, torch.Tensor], *, strict: bool
) -> None:
    """Let the initializers of ``model`` hold the tensors of ``state_dict``.

    Raises:
        ValueError: the two do not fit; the text lists every name, and the model is as before.
    """
    found = _Findings()
    chosen = {}
    for name, aliases in names.of.items():
        given = [alias for alias in aliases if alias in state_dict]
        if not given:
            found.missing.append(aliases[0])
        elif name not in model.graph.initializers:
            found.folded.append(given[0])
        elif any(not _same(state_dict[given[0]], state_dict[other]) for other in given[1:]):
            found.untied.append(" and ".join(given))
        else:
            chosen[name] = given[0]
    known = {*names.unused, *(alias for aliases in names.of.values() for alias in aliases)}
    others = [name for name in state_dict if name not in known]
    chosen.update((name, name) for name in others if name in model.graph.initializers)
    found.unexpected += [name for name in others if name not in model.graph.initializers]
    for name, key in chosen.items():
        fault = _misfit(model.graph.initializers[name], state_dict[key], name in names.complex)
        if fault:
            found.misfits.append(f"{key} ({fault})")
    found.raise_if_any(strict)
    for name, key in chosen.items():
        weight = model.graph.initializers[name]
        weight.const_value = tensor_adapters.TorchTensor(as_pairs(state_dict[key].detach()), name=name)


@dataclass
class _Findings:
    missing: list[str] = field(default_factory=list)
    unexpected: list[str] = field(default_factory=list)
    misfits: list[str] = field(default_factory=list)
    untied: list[str] = field(default_factory=list)
    folded: list[str] = field(default_factory=list)

    def raise_if_any(self, strict: bool) -> None:
        parts = [
            ("missing from state_dict", self.missing if strict else []),
            ("unknown to the model", self.unexpected if strict else []),
            ("of another shape or dtype", self.misfits),
            ("one weight in the model, but different here", self.untied),
            ("computed into others by the optimizer", self.folded),
        ]
        texts = [f"{what}: {', '.join(names)}" for what, names in parts if names]
        if texts:
            hint = " (strict=False takes a part)" if strict and (self.missing or self.unexpected) else ""
            raise ValueError(f"the state_dict does not fit the exported model{hint}: {'; '.join(texts)}")


def _misfit(weight: ir.Value, tensor: object, is_complex: bool) -> str:
    if not isinstance(tensor, torch.Tensor):
        return f"a {type(tensor).__name__}, no tensor"
    if is_complex != tensor.is_complex():
        return f"{tensor.dtype} instead of {'complex' if is_complex else 'real'} numbers"
    tensor = as_pairs(tensor)
    shape = tuple(weight.shape.numpy()) if weight.shape is not None else ()
    if tuple(tensor.shape) != shape:
        return f"shape {tuple(tensor.shape)} instead of {shape}"
    dtype = None if weight.dtype is None else tensor_adapters.to_torch_dtype(weight.dtype)
    return "" if tensor.dtype == dtype else f"{tensor.dtype} instead of {dtype}"


def _same(one: torch.Tensor, other: torch.Tensor) -> bool:
    if _memory(one) == _memory(other):
        return True
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    return torch.equal(one.isnan(), other.isnan()) and torch.equal(one.nan_to_num(), other.nan_to_num())


def _is_used(value: ir.Value) -> bool:
    return bool(value.uses()) or value.is_graph_output()


def _memory_of(weight: ir.Value) -> Hashable:
    tensor = weight.const_value
    raw = tensor.raw if isinstance(tensor, tensor_adapters.TorchTensor) else None
    return _memory(raw) if isinstance(raw, torch.Tensor) else None


def _memory(tensor: torch.Tensor) -> Hashable:
    """Equal for tensors that are the same view of the same memory, on devices without memory, too."""
    storage = tensor.untyped_storage()._cdata
    view = tensor.storage_offset(), tuple(tensor.shape), tensor.stride()
    return storage, view, tensor.dtype, tensor.is_conj(), tensor.is_neg()
