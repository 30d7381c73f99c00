"""Classes as rows with a single 1."""

from __future__ import annotations

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import one_hot_rows
from onnx_torchlib import Op, translator

__all__ = ["one_hot"]


@translator("aten::one_hot")
def one_hot(op: Op, self: Value, num_classes: int = -1) -> Value:
    """one_hot(Tensor self, int num_classes=-1) -> Tensor"""
    return one_hot_rows(op, self, num_classes)
