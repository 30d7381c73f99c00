"""Functions of each element that are more than one operator."""

from __future__ import annotations

import math

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit._dtypes import as_floating, dtype_of, is_floating
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._promotion import promote, promoted_dtype, to_float_dtype

__all__ = [
    "angle_of",
    "exp_minus_1",
    "infinite",
    "log_of_1_plus",
    "rounded_to_decimals",
    "sign_of",
    "with_finite_numbers",
]


def exp_minus_1(emitter: Emitter, value: Value) -> Value:
    """exp(x) - 1."""
    x = as_floating(emitter, value)
    # Near 0, exp(x) - 1 would lose every digit of x; 2 tanh(x/2) / (1 - tanh(x/2)) is the same function.
    half = emitter.Tanh(emitter.Mul(x, 0.5))
    near = emitter.Div(emitter.Mul(half, 2.0), emitter.Sub(1.0, half))
    return emitter.Where(emitter.Less(emitter.Abs(x), 1.0), near, emitter.Sub(emitter.Exp(x), 1.0))


def log_of_1_plus(emitter: Emitter, value: Value) -> Value:
    """log(1 + x)."""
    x = as_floating(emitter, value)
    # log(1 + x) · x / ((1 + x) - 1) makes up for the digits of x that 1 + x drops (Kahan). Where nothing of
    # x is left in the sum, the result is x; where nothing of the 1 is, the correction is 1 or undefined.
    shifted = emitter.Add(x, 1.0)
    kept = emitter.Sub(shifted, 1.0)
    plain = emitter.Log(shifted)
    exact = emitter.Div(emitter.Mul(plain, x), kept)
    corrected = emitter.Where(emitter.Less(emitter.Abs(x), 1.0), exact, plain)
    return emitter.Where(emitter.Equal(kept, 0.0), x, corrected)


def rounded_to_decimals(emitter: Emitter, value: Value, decimals: int) -> Value:
    """A float tensor rounded to ``decimals`` places after the point.

    Raises:
        Unsupported: ``value`` is of integers.
    """
    if not is_floating(value):
        emitter.refuse("it rounds integers to decimals, which torch does not define")
    if decimals == 0:
        return emitter.Round(value)
    # Torch multiplies by a power of ten, or divides by one: the other way round would round differently.
    scale = 10.0 ** abs(decimals)
    if decimals > 0:
        return emitter.Div(emitter.Round(emitter.Mul(value, scale)), scale)
    return emitter.Mul(emitter.Round(emitter.Div(value, scale)), scale)


def sign_of(emitter: Emitter, value: Value) -> Value:
    """-1, 0 or 1."""
    if value.dtype == ir.DataType.BOOL:
        return value
    if not is_floating(value):
        return emitter.Sign(value)
    # Torch's sign of NaN is 0; ONNX does not say what Sign's is.
    return emitter.Where(emitter.IsNaN(value), 0.0, emitter.Sign(value))


def infinite(emitter: Emitter, value: Value) -> Value:
    """Where a float tensor is infinite."""
    if emitter.has("IsInf", value.dtype):
        return emitter.IsInf(value)
    return emitter.Equal(emitter.Abs(value), math.inf)


def with_finite_numbers(
    emitter: Emitter, value: Value, nan: float | None, posinf: float | None, neginf: float | None
) -> Value:
    """``value`` with other numbers for NaN and the infinities: 0 and the ends of the dtype for None."""
    if not is_floating(value):
        return value
    dtype = dtype_of(emitter, value)
    high = float(dtype.max) if posinf is None else posinf
    low = float(dtype.min) if neginf is None else neginf
    bounded = emitter.Where(emitter.Equal(value, math.inf), high, value)
    # The number put in for one of the three is not looked at again.
    bounded = emitter.Where(emitter.Equal(value, -math.inf), low, bounded)
    return emitter.Where(emitter.IsNaN(value), 0.0 if nan is None else nan, bounded)


def angle_of(emitter: Emitter, opposite: Value, adjacent: Value) -> Value:
    """The angle of the point (adjacent, opposite), from -pi to pi: C's atan2."""
    default = emitter.default_float
    dtype = to_float_dtype(promoted_dtype((opposite, adjacent), default), default)
    y, x = promote(emitter, opposite, adjacent, dtype=dtype)
    backwards, down = _below_zero(emitter, x), _below_zero(emitter, y)
    endless = [emitter.Equal(emitter.Abs(part), math.inf) for part in (x, y)]
    origin = emitter.And(emitter.Equal(x, 0.0), emitter.Equal(y, 0.0))
    slope = emitter.Where(origin, 0.0, emitter.Abs(emitter.Div(y, x)))
    # Both infinities at once need the ratio of their signs.
    angle = emitter.Atan(emitter.Where(emitter.And(*endless), 1.0, slope))
    half = emitter.Where(backwards, emitter.Sub(math.pi, angle), angle)
    turned = emitter.Where(down, emitter.Neg(half), half)
    undefined = emitter.Or(emitter.IsNaN(x), emitter.IsNaN(y))
    return emitter.Where(undefined, math.nan, turned)


def _below_zero(emitter: Emitter, value: Value) -> Value:
    """Where ``value`` is negative, or -0.0, which only its reciprocal tells from 0.0."""
    return emitter.Or(emitter.Less(value, 0.0), emitter.Less(emitter.Reciprocal(value), 0.0))
