"""The error function's complement where it is small, and quantiles of the normal distribution, in DOUBLE."""

from __future__ import annotations

import math
from collections.abc import Sequence

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._series import polynomial

__all__ = ["error_complement", "log_normal_cdf", "normal_quantile", "scaled_error_complement"]


_MIDDLE = 3.75
_SCALED_COMPLEMENT: Sequence[float] = (
    1.23751263083782758,
    -0.140240598585546962,
    0.00358541548546442937,
    0.0822767384901452077,
    -0.108803930141748857,
    0.0923043211603774778,
    -0.0586933985896367741,
    0.0283622774189564043,
    -0.00974657955802927553,
    0.00175562585289529536,
    0.00029371366559134482,
    -0.000290154080540841711,
    0.0000516490988926824034,
    0.0000223842391550822298,
    -0.0000114441462377005234,
    -9.73559896736774934e-7,
    1.75163764884906214e-6,
    -5.72182306032240875e-8,
    -2.58668507161558854e-7,
    2.32635087088591237e-8,
    3.86753342422223568e-8,
    -3.74421008096201864e-9,
    -5.17399021401130963e-9,
    3.1114333809799252e-10,
    4.25147144479638978e-10,
)
"""(1 + 2x) exp(x**2) erfc(x) for x of 0 and more, in powers of (x - 3.75) / (x + 3.75).

The form is that of Shepherd and Laframboise, Chebyshev approximation of (1 + 2x) exp(x**2) erfc x in
0 <= x < infinity, Mathematics of Computation 36 (1981), 249; the error is below 1e-16.
"""


def _scaled_complement_above_zero(emitter: Emitter, value: Value) -> Value:
    # 1 - 7.5 / (x + 3.75) is also right where x is infinite.
    place = emitter.Sub(1.0, emitter.Div(2 * _MIDDLE, emitter.Add(value, _MIDDLE)))
    series = polynomial(emitter, place, _SCALED_COMPLEMENT)
    return emitter.Div(series, emitter.Add(emitter.Mul(value, 2.0), 1.0))


def scaled_error_complement(emitter: Emitter, value: Value) -> Value:
    """exp(x**2) erfc(x)."""
    above = _scaled_complement_above_zero(emitter, emitter.Abs(value))
    twice = emitter.Mul(emitter.Exp(emitter.Mul(value, value)), 2.0)
    return emitter.Where(emitter.Less(value, 0.0), emitter.Sub(twice, above), above)


def error_complement(emitter: Emitter, value: Value) -> Value:
    """erfc(x), all digits of it also where erf(x) is 1 but for them."""
    above = _scaled_complement_above_zero(emitter, emitter.Abs(value))
    above = emitter.Mul(above, emitter.Exp(emitter.Neg(emitter.Mul(value, value))))
    return emitter.Where(emitter.Less(value, 0.0), emitter.Sub(2.0, above), above)


def log_normal_cdf(emitter: Emitter, value: Value) -> Value:
    """The logarithm of the normal distribution function."""
    scaled = emitter.Mul(value, -math.sqrt(0.5))
    tail = emitter.Log(emitter.Mul(_scaled_complement_above_zero(emitter, emitter.Abs(scaled)), 0.5))
    below = emitter.Sub(tail, emitter.Mul(scaled, scaled))
    missing = emitter.Mul(error_complement(emitter, emitter.Neg(scaled)), 0.5)
    # log(1 - m) as the series of atanh: nothing of a small m is lost.
    ratio = emitter.Div(missing, emitter.Sub(missing, 2.0))
    series = [2.0 / (2 * k + 1) for k in range(_ATANH_TERMS)]
    above = emitter.Mul(ratio, polynomial(emitter, emitter.Mul(ratio, ratio), series))
    return emitter.Where(emitter.Less(value, 0.0), below, above)


_ATANH_TERMS = 16
"""The ratio is at most a third, and 3 ** -33 below DOUBLE's precision."""


_CENTRE = (
    (
        3.3871328727963666080,
        1.3314166789178437745e2,
        1.9715909503065514427e3,
        1.3731693765509461125e4,
        4.5921953931549871457e4,
        6.7265770927008700853e4,
        3.3430575583588128105e4,
        2.5090809287301226727e3,
    ),
    (
        1.0,
        4.2313330701600911252e1,
        6.8718700749205790830e2,
        5.3941960214247511077e3,
        2.1213794301586595867e4,
        3.9307895800092710610e4,
        2.8729085735721942674e4,
        5.2264952788528545610e3,
    ),
)
_FLANK = (
    (
        1.42343711074968357734,
        4.63033784615654529590,
        5.76949722146069140550,
        3.64784832476320460504,
        1.27045825245236838258,
        2.41780725177450611770e-1,
        2.27238449892691845833e-2,
        7.74545014278341407640e-4,
    ),
    (
        1.0,
        2.05319162663775882187,
        1.67638483018380384940,
        6.89767334985100004550e-1,
        1.48103976427480074590e-1,
        1.51986665636164571966e-2,
        5.47593808499534494600e-4,
        1.05075007164441684324e-9,
    ),
)
_TAIL = (
    (
        6.65790464350110377720,
        5.46378491116411436990,
        1.78482653991729133580,
        2.96560571828504891230e-1,
        2.65321895265761230930e-2,
        1.24266094738807843860e-3,
        2.71155556874348757815e-5,
        2.01033439929228813265e-7,
    ),
    (
        1.0,
        5.99832206555887937690e-1,
        1.36929880922735805310e-1,
        1.48753612908506148525e-2,
        7.86869131145613259100e-4,
        1.84631831751005468180e-5,
        1.42151175831644588870e-7,
        2.04426310338993978564e-15,
    ),
)


def normal_quantile(emitter: Emitter, above_half: Value, rest: Value) -> Value:
    """The number that a normal variable stays below with probability ``0.5 + above_half``.

    ``rest`` is the smaller of that probability and what it leaves of 1; each of the two has digits that the
    other has lost.

    Source: M. J. Wichura, Algorithm AS 241, Applied Statistics 37 (1988), 477, PPND16.
    """
    square = emitter.Sub(0.180625, emitter.Mul(above_half, above_half))
    centre = emitter.Mul(above_half, _ratio(emitter, square, _CENTRE))
    root = emitter.Sqrt(emitter.Neg(emitter.Log(rest)))
    flank = _ratio(emitter, emitter.Sub(root, 1.6), _FLANK)
    tail = _ratio(emitter, emitter.Sub(root, 5.0), _TAIL)
    outside = emitter.Where(emitter.LessOrEqual(root, 5.0), flank, tail)
    outside = emitter.Where(emitter.Equal(rest, 0.0), math.inf, outside)
    outside = emitter.Where(emitter.Less(above_half, 0.0), emitter.Neg(outside), outside)
    is_central = emitter.LessOrEqual(emitter.Abs(above_half), 0.425)
    return emitter.Where(is_central, centre, outside)


def _ratio(emitter: Emitter, value: Value, parts: tuple[Sequence[float], Sequence[float]]) -> Value:
    above, below = (polynomial(emitter, value, part) for part in parts)
    return emitter.Div(above, below)
