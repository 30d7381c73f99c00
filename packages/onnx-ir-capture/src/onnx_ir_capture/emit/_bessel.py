"""Modified Bessel functions of the first kind, in DOUBLE.

Source: DLMF 10.25.2, the power series, and 10.40.1, the expansion for large arguments.
"""

from __future__ import annotations

import itertools
import math

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._series import polynomial

__all__ = ["modified_bessel"]

_LARGE = 16.0
"""From here the terms of the expansion fall to 1e-14; up to here those of the power series do."""

_POWERS = 40
_EXPANSION = 26


def modified_bessel(emitter: Emitter, order: int, value: Value, *, is_scaled: bool) -> Value:
    """The function of ``order`` 0 or 1, times exp(-abs(x)) where it ``is_scaled``."""
    size = emitter.Abs(value)
    is_large = emitter.Greater(size, _LARGE)
    small = emitter.Where(is_large, 1.0, size)
    quarter = emitter.Mul(emitter.Mul(small, small), 0.25)
    power = polynomial(
        emitter, quarter, [1 / math.factorial(k) / math.factorial(k + order) for k in range(_POWERS)]
    )
    if order:
        power = emitter.Mul(power, emitter.Mul(small, 0.5))
    root = emitter.Mul(emitter.Sqrt(size), math.sqrt(2 * math.pi))
    large = emitter.Div(polynomial(emitter, emitter.Reciprocal(size), _expansion(order)), root)
    if is_scaled:
        power = emitter.Mul(power, emitter.Exp(emitter.Neg(small)))
    else:
        large = emitter.Mul(large, emitter.Exp(size))
    result = emitter.Where(is_large, large, power)
    # Not a number where the argument is not: a comparison with NaN is false.
    return result if order == 0 else emitter.Where(emitter.Less(value, 0.0), emitter.Neg(result), result)


def _expansion(order: int) -> list[float]:
    factors = (((2 * k - 1) ** 2 - 4 * order**2) / (8 * k) for k in range(1, _EXPANSION))
    return list(itertools.accumulate(factors, float.__mul__, initial=1.0))
