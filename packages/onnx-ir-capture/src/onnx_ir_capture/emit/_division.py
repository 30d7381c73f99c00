"""Division as torch rounds it, and its remainder.

Source: c10/util/generic_math.h (div_floor_integer, div_floor_floating) and the CPU kernel of remainder.
Division of an integer by zero, which torch raises for, is left to the runtime. A quotient rounded to zero may
come out as 0.0 for -0.0: ONNX Runtime's Where does not tell the two apart either.
"""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Operand, Value
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._promotion import promote, promoted_dtype, to_float_dtype

__all__ = ["floor_quotient", "remainder_of", "toward_zero", "true_quotient", "truncated_quotient"]

_UNSIGNED = (ir.DataType.UINT8, ir.DataType.UINT16, ir.DataType.UINT32, ir.DataType.UINT64)


def true_quotient(emitter: Emitter, left: Operand, right: Operand) -> Value:
    """``left / right``, a float also for integers."""
    dtype = to_float_dtype(promoted_dtype((left, right)))
    return emitter.Div(*promote(emitter, left, right, dtype=dtype))


def truncated_quotient(emitter: Emitter, left: Value, right: Value) -> Value:
    """The quotient of two values of one dtype, rounded towards zero."""
    quotient = emitter.Div(left, right)
    return toward_zero(emitter, quotient) if _is_floating(left) else quotient


def toward_zero(emitter: Emitter, value: Value) -> Value:
    """A float tensor rounded towards zero."""
    return emitter.Where(emitter.Less(value, 0.0), emitter.Ceil(value), emitter.Floor(value))


def floor_quotient(emitter: Emitter, left: Value, right: Value) -> Value:
    """The quotient of two values of one dtype, rounded down."""
    if _is_floating(left):
        return _floor_floating(emitter, left, right)
    quotient = emitter.Div(left, right)
    if left.dtype is None or left.dtype in _UNSIGNED:
        return quotient
    rest = emitter.Sub(left, emitter.Mul(quotient, right))
    crosses = emitter.And(
        emitter.Not(emitter.Equal(rest, 0)), emitter.Xor(emitter.Less(rest, 0), emitter.Less(right, 0))
    )
    return emitter.Sub(quotient, emitter.cast(crosses, left.dtype))


def _floor_floating(emitter: Emitter, left: Value, right: Value) -> Value:
    """By the remainder: the floor of a rounded quotient may be one too large."""
    rest = emitter.Mod(left, right, fmod=1)
    quotient = emitter.Div(emitter.Sub(left, rest), right)
    adjusted = emitter.Where(_signs_differ(emitter, rest, right), emitter.Sub(quotient, 1.0), quotient)
    floored = emitter.Floor(adjusted)
    rounded = emitter.Where(
        emitter.Greater(emitter.Sub(adjusted, floored), 0.5), emitter.Add(floored, 1.0), floored
    )
    return emitter.Where(emitter.Equal(right, 0.0), emitter.Div(left, right), rounded)


def _signs_differ(emitter: Emitter, rest: Value, divisor: Value) -> Value:
    """Where a remainder is not 0 and has the other sign than the divisor."""
    return emitter.And(
        emitter.Not(emitter.Equal(rest, 0.0)),
        emitter.Xor(emitter.Less(rest, 0.0), emitter.Less(divisor, 0.0)),
    )


def remainder_of(emitter: Emitter, left: Value, right: Value) -> Value:
    """What rounding the quotient down leaves: it has the sign of the divisor."""
    if not _is_floating(left):
        return emitter.Mod(left, right)
    rest = emitter.Mod(left, right, fmod=1)
    return emitter.Where(_signs_differ(emitter, rest, right), emitter.Add(rest, right), rest)


def _is_floating(value: Value) -> bool:
    return value.dtype is not None and value.dtype.is_floating_point()
