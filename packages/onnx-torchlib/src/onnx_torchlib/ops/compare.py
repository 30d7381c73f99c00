"""Comparisons."""

from __future__ import annotations

from onnx_ir_capture.contracts import Operand, Value
from onnx_ir_capture.emit import promote

from onnx_torchlib import Op, translator

__all__ = ["ge", "le"]


@translator("aten::ge.Tensor", "aten::ge.Scalar")
def ge(op: Op, self: Operand, other: Operand) -> Value:
    """ge.Tensor(Tensor self, Tensor other) -> Tensor"""
    return op.GreaterOrEqual(*promote(op, self, other))


@translator("aten::le.Tensor", "aten::le.Scalar")
def le(op: Op, self: Operand, other: Operand) -> Value:
    """le.Tensor(Tensor self, Tensor other) -> Tensor"""
    return op.LessOrEqual(*promote(op, self, other))
