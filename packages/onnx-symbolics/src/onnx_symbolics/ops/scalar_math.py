"""Functions of Python's ``math`` on numbers that the program computes: DOUBLE, as in Python."""

from __future__ import annotations

import math

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_symbolics import SymbolicContext, symbolic

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


def _double(g: SymbolicContext, number: _Number) -> Value:
    double = ir.DataType.DOUBLE
    return g.cast(number, double) if isinstance(number, ir.Value) else g.constant(number, double)


@symbolic("aten::acos.float", "aten::acos.int")
def acos(g: SymbolicContext, a: _Number) -> Value:
    """acos.float(float a) -> float"""
    return g.Acos(_double(g, a))


@symbolic("aten::asin.float", "aten::asin.int")
def asin(g: SymbolicContext, a: _Number) -> Value:
    """asin.float(float a) -> float"""
    return g.Asin(_double(g, a))


@symbolic("aten::atan.float", "aten::atan.int")
def atan(g: SymbolicContext, a: _Number) -> Value:
    """atan.float(float a) -> float"""
    return g.Atan(_double(g, a))


@symbolic("aten::cos.float", "aten::cos.int")
def cos(g: SymbolicContext, a: _Number) -> Value:
    """cos.float(float a) -> float"""
    return g.Cos(_double(g, a))


@symbolic("aten::cosh.float", "aten::cosh.int")
def cosh(g: SymbolicContext, a: _Number) -> Value:
    """cosh.float(float a) -> float"""
    return g.Cosh(_double(g, a))


@symbolic("aten::degrees.float", "aten::degrees.int")
def degrees(g: SymbolicContext, a: _Number) -> Value:
    """degrees.float(float a) -> float"""
    return g.Div(g.Mul(_double(g, a), 180.0), math.pi)


@symbolic("aten::exp.float", "aten::exp.int")
def exp(g: SymbolicContext, a: _Number) -> Value:
    """exp.float(float a) -> float"""
    return g.Exp(_double(g, a))


@symbolic("aten::log.float", "aten::log.int")
def log(g: SymbolicContext, a: _Number) -> Value:
    """log.float(float a) -> float"""
    return g.Log(_double(g, a))


@symbolic("aten::log10.float", "aten::log10.int")
def log10(g: SymbolicContext, a: _Number) -> Value:
    """log10.float(float a) -> float"""
    return g.Div(g.Log(_double(g, a)), math.log(10.0))


@symbolic("aten::radians.float", "aten::radians.int")
def radians(g: SymbolicContext, a: _Number) -> Value:
    """radians.float(float a) -> float"""
    return g.Div(g.Mul(_double(g, a), math.pi), 180.0)


@symbolic("aten::sin.float", "aten::sin.int")
def sin(g: SymbolicContext, a: _Number) -> Value:
    """sin.float(float a) -> float"""
    return g.Sin(_double(g, a))


@symbolic("aten::sinh.float", "aten::sinh.int")
def sinh(g: SymbolicContext, a: _Number) -> Value:
    """sinh.float(float a) -> float"""
    return g.Sinh(_double(g, a))


@symbolic("aten::tan.float", "aten::tan.int")
def tan(g: SymbolicContext, a: _Number) -> Value:
    """tan.float(float a) -> float"""
    return g.Tan(_double(g, a))


@symbolic("aten::tanh.float", "aten::tanh.int")
def tanh(g: SymbolicContext, a: _Number) -> Value:
    """tanh.float(float a) -> float"""
    return g.Tanh(_double(g, a))
