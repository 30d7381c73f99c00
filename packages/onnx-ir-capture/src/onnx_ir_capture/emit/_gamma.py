"""The gamma function's logarithm and its derivatives, and Hurwitz's zeta function.

Each is a series for large arguments, to which recurrences and reflections lead: Abramowitz and Stegun,
Handbook of Mathematical Functions (1964), formulas 6.1.17, 6.1.41, 6.3.7, 6.3.18, 6.4.7 and 23.2.8, and DLMF
25.11.28 for the zeta function. All take DOUBLE.
"""

from __future__ import annotations

import functools
import math
from fractions import Fraction

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._series import polynomial

__all__ = ["digamma_of", "hurwitz_zeta", "log_gamma", "polygamma_of"]

_SHIFT = 9
"""How far arguments are moved up before the series: from there their terms fall below DOUBLE's precision."""

_TERMS = 8


def log_gamma(emitter: Emitter, value: Value) -> Value:
    """The logarithm of the gamma function's absolute value."""
    is_reflected = emitter.Less(value, 0.5)
    above = _log_gamma_above_half(emitter, emitter.Where(is_reflected, emitter.Sub(1.0, value), value))
    fraction = emitter.Sub(value, emitter.Round(value))
    sine = emitter.Abs(emitter.Sin(emitter.Mul(fraction, math.pi)))
    reflected = emitter.Sub(emitter.Log(emitter.Div(math.pi, sine)), above)
    result = emitter.Where(is_reflected, reflected, above)
    is_pole = emitter.And(is_reflected, emitter.Equal(fraction, 0.0))
    return emitter.Where(emitter.Or(is_pole, emitter.IsInf(value)), math.inf, result)


def _log_gamma_above_half(emitter: Emitter, value: Value) -> Value:
    is_small = emitter.Less(value, _SHIFT)
    large = emitter.Where(is_small, emitter.Add(value, _SHIFT), value)
    inverse = emitter.Reciprocal(large)
    series = [_bernoulli(2 * k) / (2 * k * (2 * k - 1)) for k in range(1, _TERMS)]
    rest = emitter.Mul(polynomial(emitter, emitter.Mul(inverse, inverse), series), inverse)
    main = emitter.Mul(emitter.Sub(large, 0.5), emitter.Sub(emitter.Log(large), 1.0))
    stirling = emitter.Add(emitter.Add(main, (math.log(2 * math.pi) - 1) / 2), rest)
    # (x + k)(x + 8 - k), in terms of x(x + 8), for the factors by which the gamma function was moved.
    square = emitter.Mul(value, emitter.Add(value, 8.0))
    product = emitter.Mul(square, emitter.Add(value, 4.0))
    for factor in (7.0, 12.0, 15.0):
        product = emitter.Mul(product, emitter.Add(square, factor))
    return emitter.Sub(stirling, emitter.Log(emitter.Where(is_small, product, 1.0)))


def digamma_of(emitter: Emitter, value: Value) -> Value:
    """The derivative of :func:`log_gamma`; NaN at the poles but 0, where it is infinite."""
    is_negative = emitter.Less(value, 0.0)
    above = _digamma_above_zero(emitter, emitter.Where(is_negative, emitter.Sub(1.0, value), value))
    reflected = emitter.Sub(above, emitter.Mul(_cotangent(emitter, value), math.pi))
    fraction = emitter.Sub(value, emitter.Round(value))
    reflected = emitter.Where(emitter.Equal(fraction, 0.0), math.nan, reflected)
    result = emitter.Where(is_negative, reflected, above)
    at_zero = emitter.Neg(emitter.Reciprocal(value))
    return emitter.Where(emitter.Equal(value, 0.0), at_zero, result)


def _digamma_above_zero(emitter: Emitter, value: Value) -> Value:
    is_small = emitter.Less(value, _SHIFT + 1.0)
    large = emitter.Where(is_small, emitter.Add(value, _SHIFT + 1.0), value)
    inverse = emitter.Reciprocal(large)
    series = [_bernoulli(2 * k) / (2 * k) for k in range(1, _TERMS)]
    square = emitter.Mul(inverse, inverse)
    rest = emitter.Add(emitter.Mul(polynomial(emitter, square, series), square), emitter.Mul(inverse, 0.5))
    asymptotic = emitter.Sub(emitter.Log(large), rest)
    # 1/(x + k) + 1/(x + 9 - k) is (2x + 9) / (x(x + 9) + k(9 - k)).
    product = emitter.Mul(value, emitter.Add(value, 9.0))
    total = emitter.Reciprocal(product)
    for addend in (8.0, 14.0, 18.0, 20.0):
        total = emitter.Add(total, emitter.Reciprocal(emitter.Add(product, addend)))
    moved = emitter.Mul(total, emitter.Add(emitter.Mul(value, 2.0), 9.0))
    return emitter.Sub(asymptotic, emitter.Where(is_small, moved, 0.0))


def _cotangent(emitter: Emitter, value: Value) -> Value:
    """The cotangent of ``value`` times pi, without the loss of digits that large numbers bring."""
    angle = emitter.Mul(emitter.Sub(value, emitter.Round(value)), math.pi)
    return emitter.Div(emitter.Cos(angle), emitter.Sin(angle))


def polygamma_of(emitter: Emitter, order: int, value: Value) -> Value:
    """The derivative number ``order``, 1 or more, of :func:`digamma_of`; infinite at its poles."""
    sign = 1.0 if order % 2 else -1.0
    is_reflected = emitter.Less(value, 0.5)
    above = hurwitz_zeta(emitter, order + 1.0, emitter.Where(is_reflected, emitter.Sub(1.0, value), value))
    above = emitter.Mul(above, sign * math.factorial(order))
    slope = polynomial(emitter, _cotangent(emitter, value), _cotangent_derivative(order))
    reflected = emitter.Sub(emitter.Mul(above, -sign), emitter.Mul(slope, math.pi ** (order + 1)))
    at_pole = emitter.Equal(emitter.Sub(value, emitter.Round(value)), 0.0)
    is_pole = emitter.And(is_reflected, at_pole)
    result = emitter.Where(is_reflected, reflected, above)
    return emitter.Where(is_pole, sign * math.inf, result)


def _cotangent_derivative(order: int) -> list[float]:
    """The polynomial in cot(x) that its derivative number ``order`` is: cot' = -(1 + cot**2)."""
    coefficients = [0, 1]
    for _ in range(order):
        slope = [power * number for power, number in enumerate(coefficients)][1:]
        coefficients = [-sum(pair) for pair in zip([*slope, 0, 0], [0, 0, *slope], strict=True)]
    return [float(number) for number in coefficients]


def hurwitz_zeta(emitter: Emitter, exponent: float, value: Value) -> Value:
    """The sum of ``(value + k) ** -exponent`` over k = 0, 1 ..., for a value above 0, an exponent above 1."""
    power = emitter.constant(-exponent, ir.DataType.DOUBLE)
    total = emitter.Pow(value, power)
    for k in range(1, _SHIFT + 1):
        total = emitter.Add(total, emitter.Pow(emitter.Add(value, float(k)), power))
    large = emitter.Add(value, _SHIFT + 1.0)
    # Euler's and Maclaurin's formula for the rest.
    series = [1 / (exponent - 1), 0.5]
    rising = exponent
    for k in range(1, _TERMS):
        series += [_bernoulli(2 * k) / math.factorial(2 * k) * rising, 0.0]
        rising *= (exponent + 2 * k - 1) * (exponent + 2 * k)
    rest = polynomial(emitter, emitter.Reciprocal(large), series[:-1])
    return emitter.Add(total, emitter.Mul(emitter.Pow(large, emitter.Add(power, 1.0)), rest))


@functools.cache
def _bernoulli(index: int) -> float:
    """The Bernoulli number of an even ``index``."""
    return float(_bernoulli_numbers(index)[index])


def _bernoulli_numbers(last: int) -> list[Fraction]:
    numbers = [Fraction(1)]
    for n in range(1, last + 1):
        total = sum((math.comb(n + 1, k) * number for k, number in enumerate(numbers)), Fraction(0))
        numbers.append(-total / (n + 1))
    return numbers
