"""Products, and division as torch rounds it, with its remainder.

Source: c10/util/generic_math.h (div_floor_integer, div_floor_floating) and the CPU kernel of remainder.
Division of an integer by zero, which torch raises for, is left to the runtime. A quotient rounded to zero may
come out as 0.0 for -0.0: ONNX Runtime's Where does not tell the two apart either.

Products and quotients of half precision take a number on the right as a float32, also where half precision
does not hold it (1e5, 1e-9 or 0.1 in FLOAT16). Sums, comparisons and remainders round it.
"""

from __future__ import annotations

import numpy as np
import onnx_ir as ir

from onnx_ir_capture.contracts import Operand, Value
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._promotion import is_number, promote, promoted_dtype, to_float_dtype

__all__ = [
    "floor_quotient",
    "opmath_dtype",
    "product",
    "remainder_of",
    "rounded_quotient",
    "toward_zero",
    "true_quotient",
    "wide_enough",
]

_UNSIGNED = (ir.DataType.UINT8, ir.DataType.UINT16, ir.DataType.UINT32, ir.DataType.UINT64)
_HALVES = (ir.DataType.FLOAT16, ir.DataType.BFLOAT16)


def opmath_dtype(dtype: ir.DataType) -> ir.DataType:
    """What torch's kernels compute in that round but their result: FLOAT for half precision."""
    return ir.DataType.FLOAT if dtype in _HALVES else dtype


def product(emitter: Emitter, left: Operand, right: Operand) -> Value:
    """``left * right``, with torch's promotion."""
    dtype = promoted_dtype((left, right), emitter.default_float)
    first, second = promote(emitter, left, right, dtype=wide_enough(dtype, right))
    if dtype == ir.DataType.BOOL:
        return emitter.And(first, second)
    return emitter.cast(emitter.Mul(first, second), dtype)


def wide_enough(dtype: ir.DataType, *numbers: Operand) -> ir.DataType:
    """The dtype to compute in: ``dtype``, or that of torch's kernels where ``dtype`` would round a number."""
    return dtype if all(_holds(dtype, number) for number in numbers) else opmath_dtype(dtype)


def _holds(dtype: ir.DataType, operand: Operand) -> bool:
    """Whether ``dtype`` has a number as it is; it is not known of what is computed at run time."""
    if isinstance(operand, ir.Value):
        return operand.dtype == dtype or not _is_single(operand)
    with np.errstate(over="ignore"):
        return np.array_equal(np.asarray(operand).astype(dtype.numpy()), operand, equal_nan=True)


def _is_single(operand: Operand) -> bool:
    """Whether it is a number, or a 0-d tensor, which torch's kernels treat like one."""
    return is_number(operand) or (isinstance(operand, ir.Value) and operand.shape == ())


def true_quotient(emitter: Emitter, left: Operand, right: Operand) -> Value:
    """``left / right``, a float also for integers."""
    default = emitter.default_float
    dtype = to_float_dtype(promoted_dtype((left, right), default), default)
    operands = promote(emitter, left, right, dtype=wide_enough(dtype, right))
    return emitter.cast(emitter.Div(*operands), dtype)


def rounded_quotient(emitter: Emitter, left: Operand, right: Operand, *, floor: bool) -> Value:
    """``left / right``, rounded down or towards zero, with torch's promotion."""
    dtype = promoted_dtype((left, right), emitter.default_float)
    wide = opmath_dtype(dtype) if floor or _is_single(right) else dtype
    round_ = floor_quotient if floor else _truncated_quotient
    return emitter.cast(round_(emitter, *promote(emitter, left, right, dtype=wide)), dtype)


def _truncated_quotient(emitter: Emitter, left: Value, right: Value) -> Value:
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
