"""Trigonometric and hyperbolic functions and their inverses."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import angle_of, as_floating
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cos", "cosh", "sin", "sinh", "tan"]


@symbolic("aten::sin")
def sin(g: SymbolicContext, self: Value) -> Value:
    """sin(Tensor self) -> Tensor"""
    return g.Sin(as_floating(g, self))


@symbolic("aten::cos")
def cos(g: SymbolicContext, self: Value) -> Value:
    """cos(Tensor self) -> Tensor"""
    return g.Cos(as_floating(g, self))


@symbolic("aten::tan")
def tan(g: SymbolicContext, self: Value) -> Value:
    """tan(Tensor self) -> Tensor"""
    value = as_floating(g, self)
    # ONNX Runtime has Sin and Cos for float64, and Tan for float32 only.
    return g.Div(g.Sin(value), g.Cos(value)) if value.dtype == ir.DataType.DOUBLE else g.Tan(value)


@symbolic("aten::asin", "aten::arcsin")
def asin(g: SymbolicContext, self: Value) -> Value:
    """asin(Tensor self) -> Tensor"""
    return g.Asin(as_floating(g, self))


@symbolic("aten::acos", "aten::arccos")
def acos(g: SymbolicContext, self: Value) -> Value:
    """acos(Tensor self) -> Tensor"""
    return g.Acos(as_floating(g, self))


@symbolic("aten::atan", "aten::arctan")
def atan(g: SymbolicContext, self: Value) -> Value:
    """atan(Tensor self) -> Tensor"""
    return g.Atan(as_floating(g, self))


@symbolic("aten::sinh")
def sinh(g: SymbolicContext, self: Value) -> Value:
    """sinh(Tensor self) -> Tensor"""
    return g.Sinh(as_floating(g, self))


@symbolic("aten::cosh")
def cosh(g: SymbolicContext, self: Value) -> Value:
    """cosh(Tensor self) -> Tensor"""
    return g.Cosh(as_floating(g, self))


@symbolic("aten::asinh", "aten::arcsinh")
def asinh(g: SymbolicContext, self: Value) -> Value:
    """asinh(Tensor self) -> Tensor"""
    return g.Asinh(as_floating(g, self))


@symbolic("aten::acosh", "aten::arccosh")
def acosh(g: SymbolicContext, self: Value) -> Value:
    """acosh(Tensor self) -> Tensor"""
    return g.Acosh(as_floating(g, self))


@symbolic("aten::atanh", "aten::arctanh")
def atanh(g: SymbolicContext, self: Value) -> Value:
    """atanh(Tensor self) -> Tensor"""
    return g.Atanh(as_floating(g, self))


@symbolic("aten::atan2", "aten::arctan2")
def atan2(g: SymbolicContext, self: Value, other: Value) -> Value:
    """atan2(Tensor self, Tensor other) -> Tensor"""
    return angle_of(g, self, other)
