"""Functions of one tensor, element by element."""

from __future__ import annotations

import math

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import toward_zero
from onnx_torchlib import Op, translator
from onnx_torchlib._dtypes import as_floating, dtype_of, is_floating

__all__ = [
    "abs_",
    "ceil",
    "deg2rad",
    "erf",
    "erfc",
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
    value = as_floating(op, self)
    # Near 0, exp(x) - 1 would lose every digit of x; 2 tanh(x/2) / (1 - tanh(x/2)) is the same function.
    half = op.Tanh(op.Mul(value, 0.5))
    near = op.Div(op.Mul(half, 2.0), op.Sub(1.0, half))
    return op.Where(op.Less(op.Abs(value), 1.0), near, op.Sub(op.Exp(value), 1.0))


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
    value = as_floating(op, self)
    # log(1 + x) · x / ((1 + x) - 1) makes up for the digits of x that 1 + x drops (Kahan). Where nothing of
    # x is left in the sum, the result is x; where nothing of the 1 is, the correction is 1 or undefined.
    shifted = op.Add(value, 1.0)
    kept = op.Sub(shifted, 1.0)
    plain = op.Log(shifted)
    corrected = op.Where(op.Less(op.Abs(value), 1.0), op.Div(op.Mul(plain, value), kept), plain)
    return op.Where(op.Equal(kept, 0.0), value, corrected)


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


@translator("aten::erfc", "aten::special_erfc")
def erfc(op: Op, self: Value) -> Value:
    """erfc(Tensor self) -> Tensor"""
    return op.Sub(1.0, op.Erf(as_floating(op, self)))


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
    if not is_floating(self):
        op.refuse("it rounds integers to decimals, which torch does not define")
    if decimals == 0:
        return op.Round(self)
    # Torch multiplies by a power of ten, or divides by one: the other way round would round differently.
    scale = 10.0 ** abs(decimals)
    if decimals > 0:
        return op.Div(op.Round(op.Mul(self, scale)), scale)
    return op.Mul(op.Round(op.Div(self, scale)), scale)


@translator("aten::sign", "aten::sgn")
def sign(op: Op, self: Value) -> Value:
    """sign(Tensor self) -> Tensor"""
    if self.dtype == ir.DataType.BOOL:
        return self
    if not is_floating(self):
        return op.Sign(self)
    # Torch's sign of NaN is 0; ONNX does not say what Sign's is.
    return op.Where(op.IsNaN(self), 0.0, op.Sign(self))


@translator("aten::isnan")
def isnan(op: Op, self: Value) -> Value:
    """isnan(Tensor self) -> Tensor"""
    return op.IsNaN(self) if is_floating(self) else _constantly(op, self, value=False)


@translator("aten::isinf")
def isinf(op: Op, self: Value) -> Value:
    """isinf(Tensor self) -> Tensor"""
    return _is_infinite(op, self) if is_floating(self) else _constantly(op, self, value=False)


@translator("aten::isfinite")
def isfinite(op: Op, self: Value) -> Value:
    """isfinite(Tensor self) -> Tensor"""
    if not is_floating(self):
        return _constantly(op, self, value=True)
    return op.Not(op.Or(op.IsNaN(self), _is_infinite(op, self)))


def _is_infinite(op: Op, value: Value) -> Value:
    if op.has("IsInf", value.dtype):
        return op.IsInf(value)
    return op.Equal(op.Abs(value), math.inf)


def _constantly(op: Op, like: Value, *, value: bool) -> Value:
    return op.Expand(op.constant(value, ir.DataType.BOOL), op.Shape(like))


@translator("aten::nan_to_num")
def nan_to_num(
    op: Op, self: Value, nan: float | None = None, posinf: float | None = None, neginf: float | None = None
) -> Value:
    """nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor"""
    if not is_floating(self):
        return self
    dtype = dtype_of(op, self)
    high, low = float(dtype.max), float(dtype.min)
    bounded = op.Where(op.Equal(self, math.inf), high if posinf is None else posinf, self)
    bounded = op.Where(op.Equal(bounded, -math.inf), low if neginf is None else neginf, bounded)
    return op.Where(op.IsNaN(bounded), 0.0 if nan is None else nan, bounded)


@translator("aten::logical_not")
def logical_not(op: Op, self: Value) -> Value:
    """logical_not(Tensor self) -> Tensor"""
    return op.Not(op.cast(self, ir.DataType.BOOL))
