"""Logic on bools and on the bits of integers."""

from __future__ import annotations

import onnx_ir as ir
from onnx_ir_capture.contracts import Operand, Value
from onnx_ir_capture.emit import promote

from onnx_torchlib import Op, translator

__all__ = ["bitwise_and"]


@translator("aten::bitwise_and.Tensor", "aten::bitwise_and.Scalar", "aten::__and__.Tensor", "aten::__and__.Scalar")
def bitwise_and(op: Op, self: Operand, other: Operand) -> Value:
    """bitwise_and.Tensor(Tensor self, Tensor other) -> Tensor"""
    left, right = promote(op, self, other)
    return op.And(left, right) if left.dtype == ir.DataType.BOOL else op.BitwiseAnd(left, right)
