"""Classes as rows with a single 1."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import rank_of
from onnx_torchlib import Op, translator

__all__ = ["one_hot"]


def _needed(op: Op, classes: Value) -> Value:
    return op.Add(op.ReduceMax(classes, keepdims=0), 1)


@translator("aten::one_hot")
def one_hot(op: Op, self: Value, num_classes: int = -1) -> Value:
    """one_hot(Tensor self, int num_classes=-1) -> Tensor"""
    classes = op.cast(self, ir.DataType.INT64)
    count = op.constant(num_classes) if num_classes >= 0 else _needed(op, classes)
    if rank_of(op, classes):
        return op.OneHot(classes, count, op.constant([0, 1]), axis=-1)
    return op.Squeeze(op.OneHot(op.Reshape(classes, [1]), count, op.constant([0, 1]), axis=-1), [0])
