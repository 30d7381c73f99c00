"""Activations that torch computes in a wider dtype than half precision, or that no operator says exactly.

A bound or slope is rounded with the tensor's own dtype only where torch does so: near the bound the other
branch would be taken.
"""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit._division import wide_enough
from onnx_ir_capture.emit._dtypes import dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._promotion import promote

__all__ = [
    "bounded_below",
    "exponential_unit",
    "hard_shrunk",
    "has_activation_kernels",
    "leaky_unit",
    "log_of_1_plus_exp",
    "scaled_exponential_unit",
    "soft_shrunk",
    "softplus_of",
]


def has_activation_kernels(value: Value) -> bool:
    """Whether ONNX Runtime runs the rarer activations: not for float64, which is written out instead.

    Their attributes are float32, too, and would round what torch computes in double.
    """
    return value.dtype != ir.DataType.DOUBLE


def leaky_unit(emitter: Emitter, value: Value, slope: Scalar) -> Value:
    """``value``, times ``slope`` where it is negative."""
    if isinstance(slope, int | float) and has_activation_kernels(value):
        return emitter.LeakyRelu(value, alpha=float(slope))
    wide, factor = _in_opmath(emitter, value, slope)
    bent = emitter.Where(emitter.Less(wide, 0.0), emitter.Mul(wide, factor), wide)
    return emitter.cast(bent, dtype_of(emitter, value))


def exponential_unit(
    emitter: Emitter, value: Value, alpha: Scalar, scale: Scalar, input_scale: Scalar
) -> Value:
    """ELU: scale * x above 0, and scale * alpha * (exp(input_scale * x) - 1) below."""
    plain = scale == 1 and input_scale == 1
    if isinstance(alpha, int | float) and plain and has_activation_kernels(value):
        return emitter.Elu(value, alpha=float(alpha))
    wide, factor, slope, stretch = _in_opmath(emitter, value, alpha, scale, input_scale)
    below = emitter.Mul(_falling(emitter, emitter.Mul(wide, stretch)), factor)
    bent = emitter.Where(emitter.Greater(wide, 0.0), emitter.Mul(wide, slope), emitter.Mul(below, slope))
    return emitter.cast(bent, dtype_of(emitter, value))


def scaled_exponential_unit(emitter: Emitter, value: Value, alpha: Scalar) -> Value:
    """CELU: x above 0, and alpha * (exp(x / alpha) - 1) below."""
    if isinstance(alpha, int | float) and value.dtype == ir.DataType.FLOAT:
        return emitter.Celu(value, alpha=float(alpha))
    wide, width = _in_opmath(emitter, value, alpha)
    below = emitter.Mul(_falling(emitter, emitter.Div(wide, width)), width)
    return emitter.cast(emitter.Where(emitter.Greater(wide, 0.0), wide, below), dtype_of(emitter, value))


def softplus_of(emitter: Emitter, value: Value, beta: Scalar, threshold: Scalar) -> Value:
    """log(1 + exp(beta * x)) / beta, and x itself where beta * x is above ``threshold``."""
    if beta == 1 and threshold == 20 and has_activation_kernels(value):
        # Past 20 the two branches differ by less than a float32 shows.
        return log_of_1_plus_exp(emitter, value)
    wide, factor, bound = _in_opmath(emitter, value, beta, threshold)
    scaled = emitter.Mul(wide, factor)
    soft = emitter.Div(log_of_1_plus_exp(emitter, scaled), factor)
    return emitter.cast(emitter.Where(emitter.Greater(scaled, bound), wide, soft), dtype_of(emitter, value))


def log_of_1_plus_exp(emitter: Emitter, value: Value) -> Value:
    """log(1 + exp(x)) without overflow."""
    if not has_activation_kernels(value):
        rest = emitter.Log(emitter.Add(emitter.Exp(emitter.Neg(emitter.Abs(value))), 1.0))
        return emitter.Add(emitter.Max(value, 0.0), rest)
    # In half precision ONNX Runtime would run the function body of Softplus, which overflows.
    wide = emitter.cast(value, ir.DataType.FLOAT)
    return emitter.cast(emitter.Softplus(wide), dtype_of(emitter, value))


def bounded_below(emitter: Emitter, value: Value, bound: Scalar, other: Scalar) -> Value:
    """``value``, and ``other`` where it is not above ``bound``."""
    compared, limit = _in_opmath(emitter, value, bound)
    (replacement,) = promote(emitter, other, dtype=value.dtype)
    # NaN is not at or below the bound, and stays.
    return emitter.Where(emitter.LessOrEqual(compared, limit), replacement, value)


def hard_shrunk(emitter: Emitter, value: Value, bound: Scalar) -> Value:
    """``value``, and 0 where its magnitude is not above ``bound``."""
    # Other than for a soft bound, torch rounds this one to half precision.
    (limit,) = promote(emitter, bound, dtype=value.dtype)
    return emitter.Where(emitter.LessOrEqual(emitter.Abs(value), limit), 0.0, value)


def soft_shrunk(emitter: Emitter, value: Value, bound: Scalar) -> Value:
    """``value`` nearer to 0 by ``bound``, and 0 where its magnitude is not above that."""
    wide, limit = _in_opmath(emitter, value, bound)
    shrunk = emitter.Where(emitter.Less(wide, 0.0), emitter.Add(wide, limit), emitter.Sub(wide, limit))
    inside = emitter.LessOrEqual(emitter.Abs(wide), limit)
    return emitter.cast(emitter.Where(inside, 0.0, shrunk), dtype_of(emitter, value))


def _in_opmath(emitter: Emitter, value: Value, *numbers: Scalar) -> tuple[Value, ...]:
    """The operands in the dtype of ``value``, or in torch's wider one where that would round a number."""
    return promote(emitter, value, *numbers, dtype=wide_enough(dtype_of(emitter, value), *numbers))


def _falling(emitter: Emitter, value: Value) -> Value:
    """exp(x) - 1 where x is below 0; what stands elsewhere is of no account, but finite."""
    below = emitter.Min(value, 0.0)
    if has_activation_kernels(value):
        return emitter.Elu(below)
    return emitter.Sub(emitter.Exp(below), 1.0)
