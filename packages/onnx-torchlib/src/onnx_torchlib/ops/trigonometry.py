"""Trigonometric and hyperbolic functions and their inverses."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import angle_of, as_floating
from onnx_torchlib import Op, translator

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
    return angle_of(op, self, other)
