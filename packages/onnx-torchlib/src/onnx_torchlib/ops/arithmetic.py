"""Arithmetic on tensors and numbers, with torch's type promotion."""

from __future__ import annotations

import onnx_ir as ir
from onnx_ir_capture.contracts import Operand, Scalar, Value
from onnx_ir_capture.emit import promote, promoted_dtype, to_float_dtype

from onnx_torchlib import Op, translator

__all__ = ["add", "div", "mul", "rsub", "sub"]


@translator("aten::add.Tensor", "aten::add.Scalar")
def add(op: Op, self: Operand, other: Operand, alpha: Scalar = 1) -> Value:
    """add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"""
    left, right = promote(op, self, other)
    return op.Add(left, scaled(op, right, alpha))


def scaled(op: Op, value: Value, alpha: Scalar) -> Value:
    """``alpha * value`` in the dtype of ``value``."""
    if alpha == 1:
        return value
    (factor,) = promote(op, alpha, dtype=value.dtype)
    return op.Mul(value, factor)


@translator("aten::sub.Tensor", "aten::sub.Scalar")
def sub(op: Op, self: Operand, other: Operand, alpha: Scalar = 1) -> Value:
    """sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"""
    left, right = promote(op, self, other)
    return op.Sub(left, scaled(op, right, alpha))


@translator("aten::rsub.Tensor", "aten::rsub.Scalar")
def rsub(op: Op, self: Operand, other: Operand, alpha: Scalar = 1) -> Value:
    """rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"""
    return sub(op, other, self, alpha)


@translator("aten::mul.Tensor", "aten::mul.Scalar")
def mul(op: Op, self: Operand, other: Operand) -> Value:
    """mul.Tensor(Tensor self, Tensor other) -> Tensor"""
    left, right = promote(op, self, other)
    return op.And(left, right) if left.dtype == ir.DataType.BOOL else op.Mul(left, right)


@translator("aten::div.Tensor", "aten::div.Scalar")
def div(op: Op, self: Operand, other: Operand) -> Value:
    """div.Tensor(Tensor self, Tensor other) -> Tensor"""
    dtype = to_float_dtype(promoted_dtype((self, other)))
    return op.Div(*promote(op, self, other, dtype=dtype))
