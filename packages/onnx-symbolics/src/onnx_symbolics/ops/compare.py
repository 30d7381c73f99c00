"""Comparisons, and the larger or smaller of two."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Operand, Value
from onnx_ir_capture.emit import is_floating, promote, promoted_dtype
from onnx_symbolics import SymbolicContext, symbolic

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


def _ordered(g: SymbolicContext, self: Operand, other: Operand) -> tuple[Value, ...]:
    """Both operands in a dtype that ONNX can order: bools as integers."""
    dtype = promoted_dtype((self, other), g.default_float)
    return promote(g, self, other, dtype=ir.DataType.INT32 if dtype == ir.DataType.BOOL else dtype)


@symbolic("aten::eq.Tensor", "aten::eq.Scalar")
def eq(g: SymbolicContext, self: Operand, other: Operand) -> Value:
    """eq.Tensor(Tensor self, Tensor other) -> Tensor"""
    return g.Equal(*promote(g, self, other))


@symbolic("aten::ne.Tensor", "aten::ne.Scalar", "aten::not_equal.Tensor", "aten::not_equal.Scalar")
def ne(g: SymbolicContext, self: Operand, other: Operand) -> Value:
    """ne.Tensor(Tensor self, Tensor other) -> Tensor"""
    return g.Not(eq(g, self, other))


@symbolic("aten::lt.Tensor", "aten::lt.Scalar", "aten::less.Tensor", "aten::less.Scalar")
def lt(g: SymbolicContext, self: Operand, other: Operand) -> Value:
    """lt.Tensor(Tensor self, Tensor other) -> Tensor"""
    return g.Less(*_ordered(g, self, other))


@symbolic("aten::le.Tensor", "aten::le.Scalar", "aten::less_equal.Tensor", "aten::less_equal.Scalar")
def le(g: SymbolicContext, self: Operand, other: Operand) -> Value:
    """le.Tensor(Tensor self, Tensor other) -> Tensor"""
    return g.LessOrEqual(*_ordered(g, self, other))


@symbolic("aten::gt.Tensor", "aten::gt.Scalar", "aten::greater.Tensor", "aten::greater.Scalar")
def gt(g: SymbolicContext, self: Operand, other: Operand) -> Value:
    """gt.Tensor(Tensor self, Tensor other) -> Tensor"""
    return g.Greater(*_ordered(g, self, other))


@symbolic("aten::ge.Tensor", "aten::ge.Scalar", "aten::greater_equal.Tensor", "aten::greater_equal.Scalar")
def ge(g: SymbolicContext, self: Operand, other: Operand) -> Value:
    """ge.Tensor(Tensor self, Tensor other) -> Tensor"""
    return g.GreaterOrEqual(*_ordered(g, self, other))


@symbolic("aten::maximum", "aten::max.other")
def maximum(g: SymbolicContext, self: Operand, other: Operand) -> Value:
    """maximum(Tensor self, Tensor other) -> Tensor"""
    left, right = promote(g, self, other)
    return g.Or(left, right) if left.dtype == ir.DataType.BOOL else g.Max(left, right)


@symbolic("aten::minimum", "aten::min.other")
def minimum(g: SymbolicContext, self: Operand, other: Operand) -> Value:
    """minimum(Tensor self, Tensor other) -> Tensor"""
    left, right = promote(g, self, other)
    return g.And(left, right) if left.dtype == ir.DataType.BOOL else g.Min(left, right)


@symbolic("aten::fmax")
def fmax(g: SymbolicContext, self: Value, other: Value) -> Value:
    """fmax(Tensor self, Tensor other) -> Tensor"""
    return _defined(g, maximum(g, self, other), *promote(g, self, other))


@symbolic("aten::fmin")
def fmin(g: SymbolicContext, self: Value, other: Value) -> Value:
    """fmin(Tensor self, Tensor other) -> Tensor"""
    return _defined(g, minimum(g, self, other), *promote(g, self, other))


def _defined(g: SymbolicContext, result: Value, left: Value, right: Value) -> Value:
    """``result``, but where one side is NaN the other."""
    if not is_floating(left):
        return result
    return g.Where(g.IsNaN(left), right, g.Where(g.IsNaN(right), left, result))


@symbolic("aten::isclose")
def isclose(
    g: SymbolicContext,
    self: Value,
    other: Value,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: bool = False,
) -> Value:
    """isclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float atol=1e-08, bool equal_nan=False) -> Tensor"""
    left, right = promote(g, self, other)
    same = g.Equal(left, right)
    if not is_floating(left):
        g.refuse("it compares integers or bools, which torch does in a mix of dtypes")
    if equal_nan:
        same = g.Or(same, g.And(g.IsNaN(left), g.IsNaN(right)))
    allowed = g.Add(g.Abs(g.Mul(right, rtol)), atol)
    distance = g.Abs(g.Sub(left, right))
    finite = g.Less(distance, float("inf"))
    return g.Or(same, g.And(finite, g.LessOrEqual(distance, allowed)))
