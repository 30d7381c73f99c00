"""Functions of floating-point numbers that C's mathematics has and ONNX does not."""

from __future__ import annotations

import math
import sys

import onnx_ir as ir

from onnx_ir_capture.contracts import Operand, Value
from onnx_ir_capture.emit._dtypes import HALVES, dtype_of, is_floating, is_unsigned
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._promotion import promote, promoted_dtype, to_float_dtype

__all__ = [
    "hypotenuse",
    "is_below_zero",
    "mantissa_and_exponent",
    "times_log",
    "times_power_of_2",
    "with_sign_of",
]

_BITS = {
    ir.DataType.FLOAT16: ir.DataType.INT16,
    ir.DataType.BFLOAT16: ir.DataType.INT16,
    ir.DataType.FLOAT: ir.DataType.INT32,
    ir.DataType.DOUBLE: ir.DataType.INT64,
}
"""Integers of the same width, whose sign is the same bit."""


def _floating(emitter: Emitter, left: Operand, right: Operand) -> tuple[Value, Value]:
    found = promote(
        emitter,
        left,
        right,
        dtype=to_float_dtype(promoted_dtype((left, right), emitter.default_float), emitter.default_float),
    )
    return found[0], found[1]


def is_below_zero(emitter: Emitter, value: Value) -> Value:
    """Whether the sign is negative, -0.0 included. Before opset 26 NaN counts as positive."""
    dtype = dtype_of(emitter, value)
    if dtype == ir.DataType.BOOL or is_unsigned(dtype):
        return emitter.And(emitter.Equal(value, value), emitter.constant(False, ir.DataType.BOOL))
    below = emitter.Less(value, 0)
    if not is_floating(value):
        return below
    if emitter.has("BitCast", dtype) and dtype in _BITS:
        return emitter.Less(emitter.BitCast(value, to=_BITS[dtype]), 0)
    emitter.limit("NaN counts as positive" + (" below opset 26" if dtype in _BITS else ""))
    # The reciprocal of -0.0 is -inf.
    return emitter.Or(
        below, emitter.And(emitter.Equal(value, 0.0), emitter.Less(emitter.Reciprocal(value), 0.0))
    )


def with_sign_of(emitter: Emitter, data: Value, other: Operand) -> Value:
    """The magnitude of ``data`` with the sign of ``other``."""
    value, sign = _floating(emitter, data, other)
    size = emitter.Abs(value)
    return emitter.Where(is_below_zero(emitter, sign), emitter.Neg(size), size)


def hypotenuse(emitter: Emitter, data: Value, other: Value) -> Value:
    """The root of the sum of both squares, which may be out of range."""
    dtype = promoted_dtype((data, other), emitter.default_float)
    if dtype in HALVES:
        result = hypotenuse(
            emitter, emitter.cast(data, ir.DataType.FLOAT), emitter.cast(other, ir.DataType.FLOAT)
        )
        return emitter.cast(result, dtype)
    left, right = (emitter.Abs(value) for value in promote(emitter, data, other))
    first = emitter.Greater(left, right)
    large, small = emitter.Where(first, left, right), emitter.Where(first, right, left)
    # The quotient keeps the squares in range.
    quotient = emitter.Div(small, large)
    length = emitter.Mul(large, emitter.Sqrt(emitter.Add(emitter.Mul(quotient, quotient), 1.0)))
    length = emitter.Where(emitter.Equal(large, 0.0), large, length)
    infinite = emitter.Or(emitter.IsInf(left), emitter.IsInf(right))
    return emitter.Where(infinite, math.inf, length)


def times_power_of_2(emitter: Emitter, value: Value, other: Value) -> Value:
    """``value`` by 2 to the power of ``other``."""
    dtype = to_float_dtype(promoted_dtype((value, other), emitter.default_float), emitter.default_float)
    wide = ir.DataType.FLOAT if dtype in HALVES else dtype
    product = emitter.Mul(
        emitter.cast(value, wide), emitter.Pow(emitter.constant(2.0, wide), emitter.cast(other, wide))
    )
    return emitter.cast(product, dtype)


def times_log(emitter: Emitter, value: Operand, other: Operand) -> Value:
    """``value`` by the logarithm of ``other``, and 0 for 0."""
    factor, number = _floating(emitter, value, other)
    product = emitter.Where(emitter.Equal(factor, 0.0), 0.0, emitter.Mul(factor, emitter.Log(number)))
    return emitter.Where(emitter.IsNaN(number), math.nan, product)


def mantissa_and_exponent(emitter: Emitter, data: Value) -> tuple[Value, Value]:
    """The number from 0.5 to 1, with the sign of ``data``, and the power of 2 that it is times."""
    value = emitter.cast(data, ir.DataType.DOUBLE)
    size = emitter.Abs(value)
    is_subnormal = emitter.Less(size, sys.float_info.min)
    size = emitter.Where(is_subnormal, emitter.Mul(size, 2.0**54), size)
    # The logarithm may be off by one where the number is next to a power of two.
    exponent = emitter.Floor(emitter.Add(emitter.Mul(emitter.Log(size), 1.0 / math.log(2.0)), 1.0))
    mantissa = emitter.Mul(
        size, emitter.Pow(emitter.constant(2.0, ir.DataType.DOUBLE), emitter.Neg(exponent))
    )
    for wrong, factor, step in (
        (emitter.GreaterOrEqual(mantissa, 1.0), 0.5, 1.0),
        (emitter.Less(mantissa, 0.5), 2.0, -1.0),
    ):
        mantissa = emitter.Where(wrong, emitter.Mul(mantissa, factor), mantissa)
        exponent = emitter.Where(wrong, emitter.Add(exponent, step), exponent)
    exponent = emitter.Sub(
        exponent, emitter.Where(is_subnormal, 54.0, emitter.constant(0.0, ir.DataType.DOUBLE))
    )
    mantissa = emitter.Where(emitter.Less(value, 0.0), emitter.Neg(mantissa), mantissa)
    has_none = emitter.Or(emitter.Equal(value, 0.0), emitter.Or(emitter.IsInf(value), emitter.IsNaN(value)))
    exponent = emitter.cast(emitter.Where(has_none, 0.0, exponent), ir.DataType.INT32)
    return emitter.cast(emitter.Where(has_none, value, mantissa), dtype_of(emitter, data)), exponent
