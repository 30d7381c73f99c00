"""Functions of floating-point numbers that C's mathematics has and ONNX does not."""

from __future__ import annotations

import math
import sys

import onnx_ir as ir

from onnx_ir_capture.contracts import Operand, Scalar, Value
from onnx_ir_capture.emit import (
    HALVES,
    dtype_of,
    is_floating,
    is_unsigned,
    promote,
    promoted_dtype,
    to_float_dtype,
)
from onnx_torchlib import Op, translator

__all__ = [
    "copysign",
    "copysign_scalar",
    "frexp",
    "hypot",
    "ldexp",
    "signbit",
    "xlogy",
    "xlogy_scalar_other",
    "xlogy_scalar_self",
]


_BITS = {
    ir.DataType.FLOAT16: ir.DataType.INT16,
    ir.DataType.BFLOAT16: ir.DataType.INT16,
    ir.DataType.FLOAT: ir.DataType.INT32,
    ir.DataType.DOUBLE: ir.DataType.INT64,
}
"""Integers of the same width, whose sign is the same bit."""


def _floating(op: Op, left: Operand, right: Operand) -> tuple[Value, Value]:
    found = promote(
        op,
        left,
        right,
        dtype=to_float_dtype(promoted_dtype((left, right), op.default_float), op.default_float),
    )
    return found[0], found[1]


@translator("aten::signbit")
def signbit(op: Op, self: Value) -> Value:
    """signbit(Tensor self) -> Tensor

    Before opset 26 NaN counts as positive: no operator tells the signs of NaN apart.
    """
    dtype = dtype_of(op, self)
    if dtype == ir.DataType.BOOL or is_unsigned(dtype):
        return op.And(op.Equal(self, self), op.constant(False, ir.DataType.BOOL))
    below = op.Less(self, 0)
    if not is_floating(self):
        return below
    if op.has("BitCast", dtype) and dtype in _BITS:
        return op.Less(op.BitCast(self, to=_BITS[dtype]), 0)
    op.limit("NaN counts as positive" + (" below opset 26" if dtype in _BITS else ""))
    # The reciprocal of -0.0 is -inf.
    return op.Or(below, op.And(op.Equal(self, 0.0), op.Less(op.Reciprocal(self), 0.0)))


@translator("aten::copysign.Tensor")
def copysign(op: Op, self: Value, other: Operand) -> Value:
    """copysign.Tensor(Tensor self, Tensor other) -> Tensor"""
    value, sign = _floating(op, self, other)
    size = op.Abs(value)
    return op.Where(signbit(op, sign), op.Neg(size), size)


@translator("aten::copysign.Scalar")
def copysign_scalar(op: Op, self: Value, other: Scalar) -> Value:
    """copysign.Scalar(Tensor self, Scalar other) -> Tensor"""
    return copysign(op, self, other)


@translator("aten::hypot")
def hypot(op: Op, self: Value, other: Value) -> Value:
    """hypot(Tensor self, Tensor other) -> Tensor"""
    dtype = promoted_dtype((self, other), op.default_float)
    if dtype in HALVES:
        result = hypot(op, op.cast(self, ir.DataType.FLOAT), op.cast(other, ir.DataType.FLOAT))
        return op.cast(result, dtype)
    left, right = (op.Abs(value) for value in promote(op, self, other))
    first = op.Greater(left, right)
    large, small = op.Where(first, left, right), op.Where(first, right, left)
    # The quotient keeps the squares in range.
    quotient = op.Div(small, large)
    length = op.Mul(large, op.Sqrt(op.Add(op.Mul(quotient, quotient), 1.0)))
    length = op.Where(op.Equal(large, 0.0), large, length)
    infinite = op.Or(op.IsInf(left), op.IsInf(right))
    return op.Where(infinite, math.inf, length)


@translator("aten::frexp.Tensor")
def frexp(op: Op, self: Value) -> tuple[Value, Value]:
    """frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)"""
    value = op.cast(self, ir.DataType.DOUBLE)
    size = op.Abs(value)
    is_subnormal = op.Less(size, sys.float_info.min)
    size = op.Where(is_subnormal, op.Mul(size, 2.0**54), size)
    # The logarithm may be off by one where the number is next to a power of two.
    exponent = op.Floor(op.Add(op.Mul(op.Log(size), 1.0 / math.log(2.0)), 1.0))
    mantissa = op.Mul(size, op.Pow(op.constant(2.0, ir.DataType.DOUBLE), op.Neg(exponent)))
    for wrong, factor, step in (
        (op.GreaterOrEqual(mantissa, 1.0), 0.5, 1.0),
        (op.Less(mantissa, 0.5), 2.0, -1.0),
    ):
        mantissa = op.Where(wrong, op.Mul(mantissa, factor), mantissa)
        exponent = op.Where(wrong, op.Add(exponent, step), exponent)
    exponent = op.Sub(exponent, op.Where(is_subnormal, 54.0, op.constant(0.0, ir.DataType.DOUBLE)))
    mantissa = op.Where(op.Less(value, 0.0), op.Neg(mantissa), mantissa)
    has_none = op.Or(op.Equal(value, 0.0), op.Or(op.IsInf(value), op.IsNaN(value)))
    exponent = op.cast(op.Where(has_none, 0.0, exponent), ir.DataType.INT32)
    return op.cast(op.Where(has_none, value, mantissa), dtype_of(op, self)), exponent


@translator("aten::ldexp.Tensor")
def ldexp(op: Op, self: Value, other: Value) -> Value:
    """ldexp.Tensor(Tensor self, Tensor other) -> Tensor"""
    dtype = to_float_dtype(promoted_dtype((self, other), op.default_float), op.default_float)
    wide = ir.DataType.FLOAT if dtype in HALVES else dtype
    product = op.Mul(op.cast(self, wide), op.Pow(op.constant(2.0, wide), op.cast(other, wide)))
    return op.cast(product, dtype)


@translator("aten::xlogy.Tensor", "aten::special_xlogy")
def xlogy(op: Op, self: Operand, other: Operand) -> Value:
    """xlogy.Tensor(Tensor self, Tensor other) -> Tensor"""
    factor, number = _floating(op, self, other)
    product = op.Where(op.Equal(factor, 0.0), 0.0, op.Mul(factor, op.Log(number)))
    return op.Where(op.IsNaN(number), math.nan, product)


@translator("aten::xlogy.Scalar_Self", "aten::special_xlogy.self_scalar")
def xlogy_scalar_self(op: Op, self: Scalar, other: Value) -> Value:
    """xlogy.Scalar_Self(Scalar self, Tensor other) -> Tensor"""
    return xlogy(op, self, other)


@translator("aten::xlogy.Scalar_Other", "aten::special_xlogy.other_scalar")
def xlogy_scalar_other(op: Op, self: Value, other: Scalar) -> Value:
    """xlogy.Scalar_Other(Tensor self, Scalar other) -> Tensor"""
    return xlogy(op, self, other)
