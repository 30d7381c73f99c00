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
from onnx_torchlib import Op, translator

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


@translator("aten::abs", "aten::absolute")
def abs_(op: Op, self: Value) -> Value:
    """abs(Tensor self) -> Tensor"""
    return op.Abs(self)


@translator("aten::neg", "aten::negative")
def neg(op: Op, self: Value) -> Value:
    """neg(Tensor self) -> Tensor"""
    return op.Neg(self)


@translator("aten::positive")
def positive(op: Op, self: Value) -> Value:
    """positive(Tensor(a) self) -> Tensor(a)"""
    return self


@translator("aten::exp")
def exp(op: Op, self: Value) -> Value:
    """exp(Tensor self) -> Tensor"""
    return op.Exp(as_floating(op, self))


@translator("aten::exp2", "aten::special_exp2")
def exp2(op: Op, self: Value) -> Value:
    """exp2(Tensor self) -> Tensor"""
    value = as_floating(op, self)
    return op.Pow(op.constant(2.0, dtype_of(op, value)), value)


@translator("aten::expm1", "aten::special_expm1")
def expm1(op: Op, self: Value) -> Value:
    """expm1(Tensor self) -> Tensor"""
    return exp_minus_1(op, self)


@translator("aten::log")
def log(op: Op, self: Value) -> Value:
    """log(Tensor self) -> Tensor"""
    return op.Log(as_floating(op, self))


@translator("aten::log2")
def log2(op: Op, self: Value) -> Value:
    """log2(Tensor self) -> Tensor"""
    return op.Mul(op.Log(as_floating(op, self)), 1.0 / math.log(2.0))


@translator("aten::log10")
def log10(op: Op, self: Value) -> Value:
    """log10(Tensor self) -> Tensor"""
    return op.Mul(op.Log(as_floating(op, self)), 1.0 / math.log(10.0))


@translator("aten::log1p", "aten::special_log1p")
def log1p(op: Op, self: Value) -> Value:
    """log1p(Tensor self) -> Tensor"""
    return log_of_1_plus(op, self)


@translator("aten::sqrt")
def sqrt(op: Op, self: Value) -> Value:
    """sqrt(Tensor self) -> Tensor"""
    return op.Sqrt(as_floating(op, self))


@translator("aten::rsqrt")
def rsqrt(op: Op, self: Value) -> Value:
    """rsqrt(Tensor self) -> Tensor"""
    return op.Reciprocal(op.Sqrt(as_floating(op, self)))


@translator("aten::reciprocal")
def reciprocal(op: Op, self: Value) -> Value:
    """reciprocal(Tensor self) -> Tensor"""
    return op.Reciprocal(as_floating(op, self))


@translator("aten::square")
def square(op: Op, self: Value) -> Value:
    """square(Tensor self) -> Tensor"""
    value = op.cast(self, ir.DataType.INT64) if self.dtype == ir.DataType.BOOL else self
    return op.Mul(value, value)


@translator("aten::deg2rad")
def deg2rad(op: Op, self: Value) -> Value:
    """deg2rad(Tensor self) -> Tensor"""
    return op.Mul(as_floating(op, self), math.pi / 180.0)


@translator("aten::rad2deg")
def rad2deg(op: Op, self: Value) -> Value:
    """rad2deg(Tensor self) -> Tensor"""
    return op.Mul(as_floating(op, self), 180.0 / math.pi)


@translator("aten::tanh")
def tanh(op: Op, self: Value) -> Value:
    """tanh(Tensor self) -> Tensor"""
    return op.Tanh(as_floating(op, self))


@translator("aten::sigmoid", "aten::special_expit")
def sigmoid(op: Op, self: Value) -> Value:
    """sigmoid(Tensor self) -> Tensor"""
    return op.Sigmoid(as_floating(op, self))


@translator("aten::erf", "aten::special_erf")
def erf(op: Op, self: Value) -> Value:
    """erf(Tensor self) -> Tensor"""
    return op.Erf(as_floating(op, self))


@translator("aten::floor")
def floor(op: Op, self: Value) -> Value:
    """floor(Tensor self) -> Tensor"""
    return op.Floor(self) if is_floating(self) else self


@translator("aten::ceil")
def ceil(op: Op, self: Value) -> Value:
    """ceil(Tensor self) -> Tensor"""
    return op.Ceil(self) if is_floating(self) else self


@translator("aten::trunc", "aten::fix")
def trunc(op: Op, self: Value) -> Value:
    """trunc(Tensor self) -> Tensor"""
    return toward_zero(op, self) if is_floating(self) else self


@translator("aten::frac")
def frac(op: Op, self: Value) -> Value:
    """frac(Tensor self) -> Tensor"""
    return op.Sub(self, toward_zero(op, self))


@translator("aten::round")
def round_(op: Op, self: Value) -> Value:
    """round(Tensor self) -> Tensor"""
    return op.Round(self) if is_floating(self) else self


@translator("aten::round.decimals")
def round_decimals(op: Op, self: Value, decimals: int) -> Value:
    """round.decimals(Tensor self, *, int decimals) -> Tensor"""
    return rounded_to_decimals(op, self, decimals)


@translator("aten::sign", "aten::sgn")
def sign(op: Op, self: Value) -> Value:
    """sign(Tensor self) -> Tensor"""
    return sign_of(op, self)


@translator("aten::isnan")
def isnan(op: Op, self: Value) -> Value:
    """isnan(Tensor self) -> Tensor"""
    return op.IsNaN(self) if is_floating(self) else _constantly(op, self, value=False)


@translator("aten::isinf")
def isinf(op: Op, self: Value) -> Value:
    """isinf(Tensor self) -> Tensor"""
    return infinite(op, self) if is_floating(self) else _constantly(op, self, value=False)


@translator("aten::isfinite")
def isfinite(op: Op, self: Value) -> Value:
    """isfinite(Tensor self) -> Tensor"""
    if not is_floating(self):
        return _constantly(op, self, value=True)
    return op.Not(op.Or(op.IsNaN(self), infinite(op, self)))


def _constantly(op: Op, like: Value, *, value: bool) -> Value:
    return op.Expand(op.constant(value, ir.DataType.BOOL), op.Shape(like))


@translator("aten::nan_to_num")
def nan_to_num(
    op: Op, self: Value, nan: float | None = None, posinf: float | None = None, neginf: float | None = None
) -> Value:
    """nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor"""
    return with_finite_numbers(op, self, nan, posinf, neginf)


@translator("aten::logical_not")
def logical_not(op: Op, self: Value) -> Value:
    """logical_not(Tensor self) -> Tensor"""
    return op.Not(op.cast(self, ir.DataType.BOOL))
