"""Trigonometric and hyperbolic functions and their inverses."""

from __future__ import annotations

import math

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import promote, promoted_dtype, to_float_dtype
from onnx_torchlib import Op, translator
from onnx_torchlib._dtypes import as_floating

__all__ = ["acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cos", "cosh", "sin", "sinh", "tan"]


@translator("aten::sin")
def sin(op: Op, self: Value) -> Value:
    """sin(Tensor self) -> Tensor"""
    return op.Sin(as_floating(op, self))


@translator("aten::cos")
def cos(op: Op, self: Value) -> Value:
    """cos(Tensor self) -> Tensor"""
    return op.Cos(as_floating(op, self))


@translator("aten::tan")
def tan(op: Op, self: Value) -> Value:
    """tan(Tensor self) -> Tensor"""
    value = as_floating(op, self)
    # ONNX Runtime has Sin and Cos for float64, and Tan for float32 only.
    return op.Div(op.Sin(value), op.Cos(value)) if value.dtype == ir.DataType.DOUBLE else op.Tan(value)


@translator("aten::asin", "aten::arcsin")
def asin(op: Op, self: Value) -> Value:
    """asin(Tensor self) -> Tensor"""
    return op.Asin(as_floating(op, self))


@translator("aten::acos", "aten::arccos")
def acos(op: Op, self: Value) -> Value:
    """acos(Tensor self) -> Tensor"""
    return op.Acos(as_floating(op, self))


@translator("aten::atan", "aten::arctan")
def atan(op: Op, self: Value) -> Value:
    """atan(Tensor self) -> Tensor"""
    return op.Atan(as_floating(op, self))


@translator("aten::sinh")
def sinh(op: Op, self: Value) -> Value:
    """sinh(Tensor self) -> Tensor"""
    return op.Sinh(as_floating(op, self))


@translator("aten::cosh")
def cosh(op: Op, self: Value) -> Value:
    """cosh(Tensor self) -> Tensor"""
    return op.Cosh(as_floating(op, self))


@translator("aten::asinh", "aten::arcsinh")
def asinh(op: Op, self: Value) -> Value:
    """asinh(Tensor self) -> Tensor"""
    return op.Asinh(as_floating(op, self))


@translator("aten::acosh", "aten::arccosh")
def acosh(op: Op, self: Value) -> Value:
    """acosh(Tensor self) -> Tensor"""
    return op.Acosh(as_floating(op, self))


@translator("aten::atanh", "aten::arctanh")
def atanh(op: Op, self: Value) -> Value:
    """atanh(Tensor self) -> Tensor"""
    return op.Atanh(as_floating(op, self))


@translator("aten::atan2", "aten::arctan2")
def atan2(op: Op, self: Value, other: Value) -> Value:
    """atan2(Tensor self, Tensor other) -> Tensor"""
    dtype = to_float_dtype(promoted_dtype((self, other), op.default_float), op.default_float)
    y, x = promote(op, self, other, dtype=dtype)
    # 1 / x tells -0.0 from 0.0, and both infinities at once need the ratio of their signs.
    backwards = op.Or(op.Less(x, 0.0), op.Less(op.Reciprocal(x), 0.0))
    down = op.Or(op.Less(y, 0.0), op.Less(op.Reciprocal(y), 0.0))
    infinite = op.And(op.Equal(op.Abs(x), math.inf), op.Equal(op.Abs(y), math.inf))
    origin = op.And(op.Equal(x, 0.0), op.Equal(y, 0.0))
    steepness = op.Where(infinite, 1.0, op.Where(origin, 0.0, op.Abs(op.Div(y, x))))
    angle = op.Atan(steepness)
    half = op.Where(backwards, op.Sub(math.pi, angle), angle)
    turned = op.Where(down, op.Neg(half), half)
    undefined = op.Or(op.IsNaN(x), op.IsNaN(y))
    return op.Where(undefined, math.nan, turned)
