"""What only scripted code calls: truth of numbers and tensors, the length of a tensor."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_torchlib import Op, translator

__all__ = ["bool_", "is_nonzero", "len_"]


@translator("aten::Bool.int", "aten::Bool.float")
def bool_(op: Op, a: int | float | bool | Value) -> Value:
    """Bool.int(int a) -> bool"""
    return op.cast(a, ir.DataType.BOOL) if isinstance(a, ir.Value) else op.constant(bool(a), ir.DataType.BOOL)


@translator("aten::is_nonzero")
def is_nonzero(op: Op, self: Value) -> Value:
    """is_nonzero(Tensor self) -> bool"""
    return op.Reshape(op.cast(self, ir.DataType.BOOL), op.constant([], ir.DataType.INT64))


@translator("aten::len.Tensor")
def len_(op: Op, t: Value) -> Value:
    """len.Tensor(Tensor t) -> int"""
    return op.Gather(op.Shape(t), op.constant(0, ir.DataType.INT64))
