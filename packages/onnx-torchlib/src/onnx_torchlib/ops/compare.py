"""Comparisons, and the larger or smaller of two."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Operand, Value
from onnx_ir_capture.emit import is_floating, promote, promoted_dtype
from onnx_torchlib import Op, translator

__all__ = [
    "eq",
    "fmax",
    "fmin",
    "ge",
    "gt",
    "isclose",
    "le",
    "lt",
    "maximum",
    "minimum",
    "ne",
]


def _ordered(op: Op, self: Operand, other: Operand) -> tuple[Value, ...]:
    """Both operands in a dtype that ONNX can order: bools as integers."""
    dtype = promoted_dtype((self, other), op.default_float)
    return promote(op, self, other, dtype=ir.DataType.INT32 if dtype == ir.DataType.BOOL else dtype)


@translator("aten::eq.Tensor", "aten::eq.Scalar")
def eq(op: Op, self: Operand, other: Operand) -> Value:
    """eq.Tensor(Tensor self, Tensor other) -> Tensor"""
    return op.Equal(*promote(op, self, other))


@translator("aten::ne.Tensor", "aten::ne.Scalar", "aten::not_equal.Tensor", "aten::not_equal.Scalar")
def ne(op: Op, self: Operand, other: Operand) -> Value:
    """ne.Tensor(Tensor self, Tensor other) -> Tensor"""
    return op.Not(eq(op, self, other))


@translator("aten::lt.Tensor", "aten::lt.Scalar", "aten::less.Tensor", "aten::less.Scalar")
def lt(op: Op, self: Operand, other: Operand) -> Value:
    """lt.Tensor(Tensor self, Tensor other) -> Tensor"""
    return op.Less(*_ordered(op, self, other))


@translator("aten::le.Tensor", "aten::le.Scalar", "aten::less_equal.Tensor", "aten::less_equal.Scalar")
def le(op: Op, self: Operand, other: Operand) -> Value:
    """le.Tensor(Tensor self, Tensor other) -> Tensor"""
    return op.LessOrEqual(*_ordered(op, self, other))


@translator("aten::gt.Tensor", "aten::gt.Scalar", "aten::greater.Tensor", "aten::greater.Scalar")
def gt(op: Op, self: Operand, other: Operand) -> Value:
    """gt.Tensor(Tensor self, Tensor other) -> Tensor"""
    return op.Greater(*_ordered(op, self, other))


@translator("aten::ge.Tensor", "aten::ge.Scalar", "aten::greater_equal.Tensor", "aten::greater_equal.Scalar")
def ge(op: Op, self: Operand, other: Operand) -> Value:
    """ge.Tensor(Tensor self, Tensor other) -> Tensor"""
    return op.GreaterOrEqual(*_ordered(op, self, other))


@translator("aten::maximum", "aten::max.other")
def maximum(op: Op, self: Operand, other: Operand) -> Value:
    """maximum(Tensor self, Tensor other) -> Tensor"""
    left, right = promote(op, self, other)
    return op.Or(left, right) if left.dtype == ir.DataType.BOOL else op.Max(left, right)


@translator("aten::minimum", "aten::min.other")
def minimum(op: Op, self: Operand, other: Operand) -> Value:
    """minimum(Tensor self, Tensor other) -> Tensor"""
    left, right = promote(op, self, other)
    return op.And(left, right) if left.dtype == ir.DataType.BOOL else op.Min(left, right)


@translator("aten::fmax")
def fmax(op: Op, self: Value, other: Value) -> Value:
    """fmax(Tensor self, Tensor other) -> Tensor"""
    return _defined(op, maximum(op, self, other), *promote(op, self, other))


@translator("aten::fmin")
def fmin(op: Op, self: Value, other: Value) -> Value:
    """fmin(Tensor self, Tensor other) -> Tensor"""
    return _defined(op, minimum(op, self, other), *promote(op, self, other))


def _defined(op: Op, result: Value, left: Value, right: Value) -> Value:
    """``result``, but where one side is NaN the other."""
    if not is_floating(left):
        return result
    return op.Where(op.IsNaN(left), right, op.Where(op.IsNaN(right), left, result))


@translator("aten::isclose")
def isclose(
    op: Op, self: Value, other: Value, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Value:
    """isclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float atol=1e-08, bool equal_nan=False) -> Tensor"""
    left, right = promote(op, self, other)
    same = op.Equal(left, right)
    if not is_floating(left):
        op.refuse("it compares integers or bools, which torch does in a mix of dtypes")
    if equal_nan:
        same = op.Or(same, op.And(op.IsNaN(left), op.IsNaN(right)))
    allowed = op.Add(op.Abs(op.Mul(right, rtol)), atol)
    distance = op.Abs(op.Sub(left, right))
    finite = op.Less(distance, float("inf"))
    return op.Or(same, op.And(finite, op.LessOrEqual(distance, allowed)))
