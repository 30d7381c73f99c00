"""Functions of Python's ``math`` on numbers that the program computes: DOUBLE, as in Python."""

from __future__ import annotations

import math

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_torchlib import Op, translator

__all__ = [
    "acos",
    "asin",
    "atan",
    "cos",
    "cosh",
    "degrees",
    "exp",
    "log",
    "log10",
    "radians",
    "sin",
    "sinh",
    "tan",
    "tanh",
]

_Number = int | float | bool | Value
"""A Python number: constant, or computed at run time."""


def _double(op: Op, number: _Number) -> Value:
    double = ir.DataType.DOUBLE
    return op.cast(number, double) if isinstance(number, ir.Value) else op.constant(number, double)


@translator("aten::acos.float", "aten::acos.int")
def acos(op: Op, a: _Number) -> Value:
    """acos.float(float a) -> float"""
    return op.Acos(_double(op, a))


@translator("aten::asin.float", "aten::asin.int")
def asin(op: Op, a: _Number) -> Value:
    """asin.float(float a) -> float"""
    return op.Asin(_double(op, a))


@translator("aten::atan.float", "aten::atan.int")
def atan(op: Op, a: _Number) -> Value:
    """atan.float(float a) -> float"""
    return op.Atan(_double(op, a))


@translator("aten::cos.float", "aten::cos.int")
def cos(op: Op, a: _Number) -> Value:
    """cos.float(float a) -> float"""
    return op.Cos(_double(op, a))


@translator("aten::cosh.float", "aten::cosh.int")
def cosh(op: Op, a: _Number) -> Value:
    """cosh.float(float a) -> float"""
    return op.Cosh(_double(op, a))


@translator("aten::degrees.float", "aten::degrees.int")
def degrees(op: Op, a: _Number) -> Value:
    """degrees.float(float a) -> float"""
    return op.Div(op.Mul(_double(op, a), 180.0), math.pi)


@translator("aten::exp.float", "aten::exp.int")
def exp(op: Op, a: _Number) -> Value:
    """exp.float(float a) -> float"""
    return op.Exp(_double(op, a))


@translator("aten::log.float", "aten::log.int")
def log(op: Op, a: _Number) -> Value:
    """log.float(float a) -> float"""
    return op.Log(_double(op, a))


@translator("aten::log10.float", "aten::log10.int")
def log10(op: Op, a: _Number) -> Value:
    """log10.float(float a) -> float"""
    return op.Div(op.Log(_double(op, a)), math.log(10.0))


@translator("aten::radians.float", "aten::radians.int")
def radians(op: Op, a: _Number) -> Value:
    """radians.float(float a) -> float"""
    return op.Div(op.Mul(_double(op, a), math.pi), 180.0)


@translator("aten::sin.float", "aten::sin.int")
def sin(op: Op, a: _Number) -> Value:
    """sin.float(float a) -> float"""
    return op.Sin(_double(op, a))


@translator("aten::sinh.float", "aten::sinh.int")
def sinh(op: Op, a: _Number) -> Value:
    """sinh.float(float a) -> float"""
    return op.Sinh(_double(op, a))


@translator("aten::tan.float", "aten::tan.int")
def tan(op: Op, a: _Number) -> Value:
    """tan.float(float a) -> float"""
    return op.Tan(_double(op, a))


@translator("aten::tanh.float", "aten::tanh.int")
def tanh(op: Op, a: _Number) -> Value:
    """tanh.float(float a) -> float"""
    return op.Tanh(_double(op, a))
