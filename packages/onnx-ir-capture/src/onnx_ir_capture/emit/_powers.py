"""Powers, and those of integers by squaring."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit._dtypes import dtype_of, is_floating
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._promotion import promote, promoted_dtype

__all__ = ["integer_power", "power", "power_by_number"]

_EXPONENT_BITS = 6


def power_by_number(emitter: Emitter, value: Value, exponent: Scalar) -> Value:
    """``value ** exponent`` with torch's promotion, and the kernels that torch has for some exponents."""
    dtype = promoted_dtype((value, exponent), emitter.default_float)
    (base,) = promote(emitter, value, dtype=dtype)
    if isinstance(exponent, ir.Value | complex):
        return power(emitter, base, promote(emitter, exponent, dtype=dtype)[0])
    if not is_floating(base):
        return integer_power(emitter, base, int(exponent))
    # What torch's kernels compute for these: sqrt(-inf) is NaN where pow(-inf, 0.5) would be inf, but only
    # the wider dtypes have the kernels.
    wide = dtype in (ir.DataType.FLOAT, ir.DataType.DOUBLE)
    if exponent == 0.5 and wide:
        return emitter.Sqrt(base)
    if exponent == -0.5 and wide:
        return emitter.Reciprocal(emitter.Sqrt(base))
    if exponent == -1:
        return emitter.Reciprocal(base)
    if exponent == -2:
        return emitter.Reciprocal(emitter.Mul(base, base))
    return emitter.Pow(base, emitter.constant(float(exponent), dtype))


def power(emitter: Emitter, base: Value, exponent: Value) -> Value:
    """``base ** exponent`` of two values of one dtype."""
    if is_floating(base):
        return emitter.Pow(base, exponent)
    return _computed_integer_power(emitter, base, exponent)


def integer_power(emitter: Emitter, base: Value, exponent: int) -> Value:
    """``base ** exponent`` of integers by squaring: ONNX Runtime's Pow goes through a double.

    Raises:
        Unsupported: the exponent is negative, which torch refuses too.
    """
    if exponent < 0:
        emitter.refuse(f"integers have no power {exponent}")
    result: Value | None = None
    square = base
    while exponent:
        if exponent % 2:
            result = square if result is None else emitter.Mul(result, square)
        exponent //= 2
        if exponent:
            square = emitter.Mul(square, square)
    if result is not None:
        return result
    return emitter.Expand(emitter.constant(1, dtype_of(emitter, base)), emitter.Shape(base))


def _computed_integer_power(emitter: Emitter, base: Value, exponent: Value) -> Value:
    """By squaring as well, bit by bit of the exponent.

    Six bits are enough: with a base beyond -1, 0 and 1 the 64th power leaves every integer dtype, and for
    those three only the exponent's parity counts.
    """
    dtype = dtype_of(emitter, base)
    wide = emitter.cast(exponent, ir.DataType.INT64)
    odd = emitter.Mod(wide, 2)
    large = emitter.Greater(emitter.Abs(wide), 63)
    left = emitter.Where(large, emitter.Add(odd, 62), emitter.Abs(wide))
    result: Value | None = None
    square = base
    for bit in range(_EXPONENT_BITS):
        is_set = emitter.Equal(emitter.Mod(left, 2), 1)
        factor = emitter.Where(is_set, square, emitter.constant(1, dtype))
        result = factor if result is None else emitter.Mul(result, factor)
        left = emitter.Div(left, 2)
        if bit < _EXPONENT_BITS - 1:
            square = emitter.Mul(square, square)
    unit = emitter.Equal(emitter.Abs(base), 1)
    vanishes = emitter.And(emitter.Less(wide, 0), emitter.Not(unit))
    return emitter.Where(vanishes, 0, result) if result is not None else base
