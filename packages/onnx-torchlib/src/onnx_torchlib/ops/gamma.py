"""The gamma function's logarithm and its derivatives."""

from __future__ import annotations

import math

import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit import (
    Emitter,
    digamma_of,
    hurwitz_zeta,
    in_double,
    log_gamma,
    polygamma_of,
)
from onnx_torchlib import Op, translator

__all__ = [
    "digamma",
    "lgamma",
    "mvlgamma",
    "polygamma",
    "special_polygamma",
    "special_zeta_self_scalar",
]


@translator("aten::lgamma", "aten::special_gammaln")
def lgamma(op: Op, self: Value) -> Value:
    """lgamma(Tensor self) -> Tensor"""
    return in_double(op, self, log_gamma)


@translator("aten::digamma", "aten::special_digamma", "aten::special_psi")
def digamma(op: Op, self: Value) -> Value:
    """digamma(Tensor self) -> Tensor"""
    return in_double(op, self, digamma_of)


_LARGEST_ORDER = 30


@translator("aten::polygamma")
def polygamma(op: Op, n: int, self: Value) -> Value:
    """polygamma(int n, Tensor self) -> Tensor"""
    if n == 0:
        return digamma(op, self)
    if n > _LARGEST_ORDER:
        op.refuse(f"its order {n} is above {_LARGEST_ORDER}, where the factorial leaves the range of float32")
    if n == 1:
        op.limit("of order 1 it is infinite at negative integers, where PyTorch gives a large number")
        return in_double(op, self, lambda emitter, value: polygamma_of(emitter, n, value))
    factor = (-1) ** (n + 1) * float(math.factorial(n))
    return in_double(op, self, lambda emitter, value: emitter.Mul(_zeta(emitter, n + 1.0, value), factor))


@translator("aten::special_polygamma")
def special_polygamma(op: Op, n: int, self: Value) -> Value:
    """special_polygamma(int n, Tensor self) -> Tensor"""
    return polygamma(op, n, self)


@translator("aten::mvlgamma", "aten::special_multigammaln")
def mvlgamma(op: Op, self: Value, p: int) -> Value:
    """mvlgamma(Tensor self, int p) -> Tensor"""

    def total(emitter: Emitter, value: Value) -> Value:
        result = log_gamma(emitter, value)
        for step in range(1, p):
            result = emitter.Add(result, log_gamma(emitter, emitter.Sub(value, step / 2)))
        return emitter.Add(result, p * (p - 1) / 4 * math.log(math.pi))

    return in_double(op, self, total)


@translator("aten::special_zeta.self_scalar")
def special_zeta_self_scalar(op: Op, self: Scalar, other: Value) -> Value:
    """special_zeta.self_scalar(Scalar self, Tensor other) -> Tensor"""
    if not isinstance(self, int | float) or self <= 1:
        op.refuse("its first argument is no constant above 1")
    exponent = float(self)
    return in_double(op, other, lambda emitter, value: _zeta(emitter, exponent, value))


def _zeta(emitter: Emitter, exponent: float, value: Value) -> Value:
    result = _zeta_of_finite(emitter, exponent, value)
    # What torch's sums come to; the limits would be 0 and none.
    result = emitter.Where(emitter.Equal(value, math.inf), math.nan, result)
    return emitter.Where(emitter.Equal(value, -math.inf), math.inf, result)


def _zeta_of_finite(emitter: Emitter, exponent: float, value: Value) -> Value:
    order = int(exponent) - 1
    if order + 1 == exponent and order <= _LARGEST_ORDER:
        # The two differ by a factor, and polygamma is known below 0, too.
        scale = (-1) ** (order + 1) / math.factorial(order)
        return emitter.Mul(polygamma_of(emitter, order, value), scale)
    above = hurwitz_zeta(emitter, exponent, value)
    at_integer = emitter.Equal(emitter.Floor(value), value)
    below = emitter.Where(at_integer, math.inf, emitter.constant(math.nan, ir.DataType.DOUBLE))
    return emitter.Where(emitter.LessOrEqual(value, 0.0), below, above)
