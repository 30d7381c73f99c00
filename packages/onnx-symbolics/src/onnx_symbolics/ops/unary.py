"""Functions of one tensor, element by element."""

from __future__ import annotations

import math

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import (
    as_floating,
    dtype_of,
    exp_minus_1,
    infinite,
    is_floating,
    log_of_1_plus,
    rounded_to_decimals,
    sign_of,
    toward_zero,
    with_finite_numbers,
)
from onnx_symbolics import SymbolicContext, symbolic

__all__ = [
    "abs_",
    "ceil",
    "deg2rad",
    "erf",
    "exp",
    "exp2",
    "expm1",
    "floor",
    "frac",
    "isfinite",
    "isinf",
    "isnan",
    "log",
    "log1p",
    "log2",
    "log10",
    "logical_not",
    "nan_to_num",
    "neg",
    "positive",
    "rad2deg",
    "reciprocal",
    "round_",
    "round_decimals",
    "rsqrt",
    "sigmoid",
    "sign",
    "sqrt",
    "square",
    "tanh",
    "trunc",
]


@symbolic("aten::abs", "aten::absolute")
def abs_(g: SymbolicContext, self: Value) -> Value:
    """abs(Tensor self) -> Tensor"""
    return g.Abs(self)


@symbolic("aten::neg", "aten::negative")
def neg(g: SymbolicContext, self: Value) -> Value:
    """neg(Tensor self) -> Tensor"""
    return g.Neg(self)


@symbolic("aten::positive")
def positive(g: SymbolicContext, self: Value) -> Value:
    """positive(Tensor(a) self) -> Tensor(a)"""
    return self


@symbolic("aten::exp")
def exp(g: SymbolicContext, self: Value) -> Value:
    """exp(Tensor self) -> Tensor"""
    return g.Exp(as_floating(g, self))


@symbolic("aten::exp2", "aten::special_exp2")
def exp2(g: SymbolicContext, self: Value) -> Value:
    """exp2(Tensor self) -> Tensor"""
    value = as_floating(g, self)
    return g.Pow(g.constant(2.0, dtype_of(g, value)), value)


@symbolic("aten::expm1", "aten::special_expm1")
def expm1(g: SymbolicContext, self: Value) -> Value:
    """expm1(Tensor self) -> Tensor"""
    return exp_minus_1(g, self)


@symbolic("aten::log")
def log(g: SymbolicContext, self: Value) -> Value:
    """log(Tensor self) -> Tensor"""
    return g.Log(as_floating(g, self))


@symbolic("aten::log2")
def log2(g: SymbolicContext, self: Value) -> Value:
    """log2(Tensor self) -> Tensor"""
    return g.Mul(g.Log(as_floating(g, self)), 1.0 / math.log(2.0))


@symbolic("aten::log10")
def log10(g: SymbolicContext, self: Value) -> Value:
    """log10(Tensor self) -> Tensor"""
    return g.Mul(g.Log(as_floating(g, self)), 1.0 / math.log(10.0))


@symbolic("aten::log1p", "aten::special_log1p")
def log1p(g: SymbolicContext, self: Value) -> Value:
    """log1p(Tensor self) -> Tensor"""
    return log_of_1_plus(g, self)


@symbolic("aten::sqrt")
def sqrt(g: SymbolicContext, self: Value) -> Value:
    """sqrt(Tensor self) -> Tensor"""
    return g.Sqrt(as_floating(g, self))


@symbolic("aten::rsqrt")
def rsqrt(g: SymbolicContext, self: Value) -> Value:
    """rsqrt(Tensor self) -> Tensor"""
    return g.Reciprocal(g.Sqrt(as_floating(g, self)))


@symbolic("aten::reciprocal")
def reciprocal(g: SymbolicContext, self: Value) -> Value:
    """reciprocal(Tensor self) -> Tensor"""
    return g.Reciprocal(as_floating(g, self))


@symbolic("aten::square")
def square(g: SymbolicContext, self: Value) -> Value:
    """square(Tensor self) -> Tensor"""
    value = g.cast(self, ir.DataType.INT64) if self.dtype == ir.DataType.BOOL else self
    return g.Mul(value, value)


@symbolic("aten::deg2rad")
def deg2rad(g: SymbolicContext, self: Value) -> Value:
    """deg2rad(Tensor self) -> Tensor"""
    return g.Mul(as_floating(g, self), math.pi / 180.0)


@symbolic("aten::rad2deg")
def rad2deg(g: SymbolicContext, self: Value) -> Value:
    """rad2deg(Tensor self) -> Tensor"""
    return g.Mul(as_floating(g, self), 180.0 / math.pi)


@symbolic("aten::tanh")
def tanh(g: SymbolicContext, self: Value) -> Value:
    """tanh(Tensor self) -> Tensor"""
    return g.Tanh(as_floating(g, self))


@symbolic("aten::sigmoid", "aten::special_expit")
def sigmoid(g: SymbolicContext, self: Value) -> Value:
    """sigmoid(Tensor self) -> Tensor"""
    return g.Sigmoid(as_floating(g, self))


@symbolic("aten::erf", "aten::special_erf")
def erf(g: SymbolicContext, self: Value) -> Value:
    """erf(Tensor self) -> Tensor"""
    return g.Erf(as_floating(g, self))


@symbolic("aten::floor")
def floor(g: SymbolicContext, self: Value) -> Value:
    """floor(Tensor self) -> Tensor"""
    return g.Floor(self) if is_floating(self) else self


@symbolic("aten::ceil")
def ceil(g: SymbolicContext, self: Value) -> Value:
    """ceil(Tensor self) -> Tensor"""
    return g.Ceil(self) if is_floating(self) else self


@symbolic("aten::trunc", "aten::fix")
def trunc(g: SymbolicContext, self: Value) -> Value:
    """trunc(Tensor self) -> Tensor"""
    return toward_zero(g, self) if is_floating(self) else self


@symbolic("aten::frac")
def frac(g: SymbolicContext, self: Value) -> Value:
    """frac(Tensor self) -> Tensor"""
    return g.Sub(self, toward_zero(g, self))


@symbolic("aten::round")
def round_(g: SymbolicContext, self: Value) -> Value:
    """round(Tensor self) -> Tensor"""
    return g.Round(self) if is_floating(self) else self


@symbolic("aten::round.decimals")
def round_decimals(g: SymbolicContext, self: Value, decimals: int) -> Value:
    """round.decimals(Tensor self, *, int decimals) -> Tensor"""
    return rounded_to_decimals(g, self, decimals)


@symbolic("aten::sign", "aten::sgn")
def sign(g: SymbolicContext, self: Value) -> Value:
    """sign(Tensor self) -> Tensor"""
    return sign_of(g, self)


@symbolic("aten::isnan")
def isnan(g: SymbolicContext, self: Value) -> Value:
    """isnan(Tensor self) -> Tensor"""
    return g.IsNaN(self) if is_floating(self) else _constantly(g, self, value=False)


@symbolic("aten::isinf")
def isinf(g: SymbolicContext, self: Value) -> Value:
    """isinf(Tensor self) -> Tensor"""
    return infinite(g, self) if is_floating(self) else _constantly(g, self, value=False)


@symbolic("aten::isfinite")
def isfinite(g: SymbolicContext, self: Value) -> Value:
    """isfinite(Tensor self) -> Tensor"""
    if not is_floating(self):
        return _constantly(g, self, value=True)
    return g.Not(g.Or(g.IsNaN(self), infinite(g, self)))


def _constantly(g: SymbolicContext, like: Value, *, value: bool) -> Value:
    return g.Expand(g.constant(value, ir.DataType.BOOL), g.Shape(like))


@symbolic("aten::nan_to_num")
def nan_to_num(
    g: SymbolicContext,
    self: Value,
    nan: float | None = None,
    posinf: float | None = None,
    neginf: float | None = None,
) -> Value:
    """nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor"""
    return with_finite_numbers(g, self, nan, posinf, neginf)


@symbolic("aten::logical_not")
def logical_not(g: SymbolicContext, self: Value) -> Value:
    """logical_not(Tensor self) -> Tensor"""
    return g.Not(g.cast(self, ir.DataType.BOOL))
