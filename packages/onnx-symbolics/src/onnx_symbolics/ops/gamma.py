"""The gamma function's logarithm and its derivatives."""

from __future__ import annotations

import math

import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit import Emitter, digamma_of, hurwitz_zeta, in_double, log_gamma, polygamma_of
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["digamma", "lgamma", "mvlgamma", "polygamma", "special_polygamma", "special_zeta_self_scalar"]


@symbolic("aten::lgamma", "aten::special_gammaln")
def lgamma(g: SymbolicContext, self: Value) -> Value:
    """lgamma(Tensor self) -> Tensor"""
    return in_double(g, self, log_gamma)


@symbolic("aten::digamma", "aten::special_digamma", "aten::special_psi")
def digamma(g: SymbolicContext, self: Value) -> Value:
    """digamma(Tensor self) -> Tensor"""
    return in_double(g, self, digamma_of)


_LARGEST_ORDER = 30


@symbolic("aten::polygamma")
def polygamma(g: SymbolicContext, n: int, self: Value) -> Value:
    """polygamma(int n, Tensor self) -> Tensor"""
    if n == 0:
        return digamma(g, self)
    if n > _LARGEST_ORDER:
        g.refuse(f"its order {n} is above {_LARGEST_ORDER}, where the factorial leaves the range of float32")
    if n == 1:
        g.limit("of order 1 it is infinite at negative integers, where PyTorch gives a large number")
        return in_double(g, self, lambda emitter, value: polygamma_of(emitter, n, value))
    factor = (-1) ** (n + 1) * float(math.factorial(n))
    return in_double(g, self, lambda emitter, value: emitter.Mul(_zeta(emitter, n + 1.0, value), factor))


@symbolic("aten::special_polygamma")
def special_polygamma(g: SymbolicContext, n: int, self: Value) -> Value:
    """special_polygamma(int n, Tensor self) -> Tensor"""
    return polygamma(g, n, self)


@symbolic("aten::mvlgamma", "aten::special_multigammaln")
def mvlgamma(g: SymbolicContext, self: Value, p: int) -> Value:
    """mvlgamma(Tensor self, int p) -> Tensor"""

    def total(emitter: Emitter, value: Value) -> Value:
        result = log_gamma(emitter, value)
        for step in range(1, p):
            result = emitter.Add(result, log_gamma(emitter, emitter.Sub(value, step / 2)))
        return emitter.Add(result, p * (p - 1) / 4 * math.log(math.pi))

    return in_double(g, self, total)


@symbolic("aten::special_zeta.self_scalar")
def special_zeta_self_scalar(g: SymbolicContext, self: Scalar, other: Value) -> Value:
    """special_zeta.self_scalar(Scalar self, Tensor other) -> Tensor"""
    if not isinstance(self, int | float) or self <= 1:
        g.refuse("its first argument is no constant above 1")
    exponent = float(self)
    return in_double(g, other, lambda emitter, value: _zeta(emitter, exponent, value))


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
