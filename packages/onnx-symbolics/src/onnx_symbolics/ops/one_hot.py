"""Classes as rows with a single 1."""

from __future__ import annotations

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import one_hot_rows
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["one_hot"]


@symbolic("aten::one_hot")
def one_hot(g: SymbolicContext, self: Value, num_classes: int = -1) -> Value:
    """one_hot(Tensor self, int num_classes=-1) -> Tensor"""
    return one_hot_rows(g, self, num_classes)
