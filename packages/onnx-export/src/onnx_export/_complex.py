"""Complex tensors, which a file has as pairs: real tensors with a last dimension of 2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import onnx_ir as ir
import torch
from onnx_ir import tensor_adapters

from onnx_diagnostics import DiagnosticContext
from onnx_export.rules import COMPLEX_AS_PAIRS
from onnx_ir_capture.dialect import is_plain_tensor
from onnx_ir_capture.program import CapturedProgram

__all__ = ["as_pairs", "complex_weights", "note_pairs", "share_complex_weights"]

_COMPLEX = (ir.DataType.COMPLEX64, ir.DataType.COMPLEX128)


def as_pairs(tensor: torch.Tensor) -> torch.Tensor:
    """The tensor as a file has it: real and imaginary parts in a last dimension, if it is complex."""
    return torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor


def complex_weights(program: CapturedProgram) -> frozenset[str]:
    """Names of the weights of a captured program that are complex."""
    weights = program.model.graph.initializers
    return frozenset(str(name) for name, value in weights.items() if _is_complex(value))


def share_complex_weights(program: CapturedProgram, value_map: Mapping[ir.Value, ir.Value]) -> None:
    """Let the pairs that stand for complex weights be views on the tensors of PyTorch, as all weights are.

    Args:
        program: what was captured.
        value_map: for its values those of the program after the passes.
    """
    for value in program.model.graph.initializers.values():
        tensor, pairs = value.const_value, value_map.get(value)
        raw = tensor.raw if isinstance(tensor, tensor_adapters.TorchTensor) else None
        if pairs is not None and isinstance(raw, torch.Tensor) and raw.is_complex():
            pairs.const_value = tensor_adapters.TorchTensor(as_pairs(raw.detach()), name=pairs.name)


def note_pairs(model: ir.Model, program: CapturedProgram, diagnostics: DiagnosticContext) -> None:
    """Say which inputs, outputs and weights of the finished model are complex in PyTorch."""
    names = [*_named_inputs(model, program), *_named_outputs(model, program)]
    names += [
        f"weight {name!r}" for name in sorted(complex_weights(program)) if name in model.graph.initializers
    ]
    for name in names:
        diagnostics.report(COMPLEX_AS_PAIRS, name=name)


def _named_inputs(model: ir.Model, program: CapturedProgram) -> Iterator[str]:
    captured = (spec.value for spec in program.inputs if spec.value is not None)
    for value, finished in zip(captured, model.graph.inputs, strict=False):
        if _is_complex(value):
            yield f"input {finished.name!r}"


def _named_outputs(model: ir.Model, program: CapturedProgram) -> Iterator[str]:
    captured = (spec.value for spec in program.outputs if spec.value is not None)
    for value, finished in zip(captured, model.graph.outputs, strict=False):
        if _is_complex(value):
            yield f"output {finished.name!r}"


def _is_complex(value: ir.Value) -> bool:
    return is_plain_tensor(value.type) and value.dtype in _COMPLEX
