"""Python numbers that the program computes: sizes, and what is computed from them and from tensors.

An int is a 0-d INT64 value, a float a 0-d DOUBLE, a bool a 0-d BOOL.
"""

from __future__ import annotations

import math

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import dimension, floor_quotient, integer_power, is_floating, remainder_of
from onnx_symbolics import SymbolicContext, symbolic

__all__ = [
    "abs_",
    "add",
    "bool_and",
    "bool_not",
    "bool_or",
    "ceil",
    "div",
    "eq",
    "float_",
    "floor",
    "floordiv",
    "ge",
    "gt",
    "int_",
    "int_and",
    "int_or",
    "ite",
    "item",
    "le",
    "lt",
    "max_",
    "min_",
    "mul",
    "ne",
    "neg",
    "pow_",
    "remainder",
    "round_",
    "sqrt",
    "sub",
    "sym_numel",
    "sym_size",
]

_Number = int | float | bool | Value
"""A Python number: constant, or computed at run time."""


def _as(g: SymbolicContext, number: _Number, dtype: ir.DataType) -> Value:
    return g.cast(number, dtype) if isinstance(number, ir.Value) else g.constant(number, dtype)


def _pair(g: SymbolicContext, a: _Number, b: _Number) -> tuple[Value, Value]:
    """Both as floats if either is one, else as ints: Python's rule."""
    dtype = ir.DataType.DOUBLE if _is_float(a) or _is_float(b) else ir.DataType.INT64
    return _as(g, a, dtype), _as(g, b, dtype)


def _is_float(number: _Number) -> bool:
    return is_floating(number) if isinstance(number, ir.Value) else isinstance(number, float)


@symbolic("aten::add.int", "aten::add.float", "aten::add.int_float", "aten::add.float_int")
def add(g: SymbolicContext, a: _Number, b: _Number) -> Value:
    """add.int(int a, int b) -> int"""
    return g.Add(*_pair(g, a, b))


@symbolic("aten::sub.int", "aten::sub.float", "aten::sub.int_float", "aten::sub.float_int")
def sub(g: SymbolicContext, a: _Number, b: _Number) -> Value:
    """sub.int(int a, int b) -> int"""
    return g.Sub(*_pair(g, a, b))


@symbolic("aten::mul.int", "aten::mul.float", "aten::mul.int_float", "aten::mul.float_int")
def mul(g: SymbolicContext, a: _Number, b: _Number) -> Value:
    """mul.int(int a, int b) -> int"""
    return g.Mul(*_pair(g, a, b))


@symbolic(
    "aten::floordiv.int", "aten::floordiv.float", "aten::floordiv.int_float", "aten::floordiv.float_int"
)
def floordiv(g: SymbolicContext, a: _Number, b: _Number) -> Value:
    """floordiv.int(int a, int b) -> int"""
    return floor_quotient(g, *_pair(g, a, b))


@symbolic(
    "aten::remainder.int", "aten::remainder.float", "aten::remainder.int_float", "aten::remainder.float_int"
)
def remainder(g: SymbolicContext, a: _Number, b: _Number) -> Value:
    """remainder.int(int a, int b) -> int"""
    return remainder_of(g, *_pair(g, a, b))


@symbolic("aten::div.int", "aten::div.float", "aten::div")
def div(g: SymbolicContext, a: _Number, b: _Number) -> Value:
    """div.int(int a, int b) -> float"""
    return g.Div(_as(g, a, ir.DataType.DOUBLE), _as(g, b, ir.DataType.DOUBLE))


@symbolic(
    "aten::pow.int", "aten::pow.float", "aten::pow.int_float", "aten::pow.float_int", "aten::pow.int_to_int"
)
def pow_(g: SymbolicContext, a: _Number, b: _Number) -> Value:
    """pow.int(int a, int b) -> float"""
    if g.frame.expected[0].dtype == ir.DataType.DOUBLE:
        # TorchScript's integers have a float for their power.
        return g.Pow(_as(g, a, ir.DataType.DOUBLE), _as(g, b, ir.DataType.DOUBLE))
    if isinstance(b, ir.Value | float):
        g.refuse("an integer is raised to a power that is computed at run time")
    return integer_power(g, _as(g, a, ir.DataType.INT64), b)


@symbolic("aten::neg.int", "aten::neg.float")
def neg(g: SymbolicContext, a: _Number) -> Value:
    """neg.int(int a) -> int"""
    return g.Neg(_pair(g, a, a)[0])


@symbolic("aten::eq.int", "aten::eq.float", "aten::eq.int_float", "aten::eq.float_int", "aten::eq.bool")
def eq(g: SymbolicContext, a: _Number, b: _Number) -> Value:
    """eq.int(int a, int b) -> bool"""
    return g.Equal(*_pair(g, a, b))


@symbolic("aten::ne.int", "aten::ne.float", "aten::ne.int_float", "aten::ne.float_int", "aten::ne.bool")
def ne(g: SymbolicContext, a: _Number, b: _Number) -> Value:
    """ne.int(int a, int b) -> bool"""
    return g.Not(eq(g, a, b))


@symbolic("aten::lt.int", "aten::lt.float", "aten::lt.int_float", "aten::lt.float_int")
def lt(g: SymbolicContext, a: _Number, b: _Number) -> Value:
    """lt.int(int a, int b) -> bool"""
    return g.Less(*_pair(g, a, b))


@symbolic("aten::le.int", "aten::le.float", "aten::le.int_float", "aten::le.float_int")
def le(g: SymbolicContext, a: _Number, b: _Number) -> Value:
    """le.int(int a, int b) -> bool"""
    return g.LessOrEqual(*_pair(g, a, b))


@symbolic("aten::gt.int", "aten::gt.float", "aten::gt.int_float", "aten::gt.float_int")
def gt(g: SymbolicContext, a: _Number, b: _Number) -> Value:
    """gt.int(int a, int b) -> bool"""
    return g.Greater(*_pair(g, a, b))


@symbolic("aten::ge.int", "aten::ge.float", "aten::ge.int_float", "aten::ge.float_int")
def ge(g: SymbolicContext, a: _Number, b: _Number) -> Value:
    """ge.int(int a, int b) -> bool"""
    return g.GreaterOrEqual(*_pair(g, a, b))


@symbolic("prim::max.int", "prim::max.float", "prim::max.int_float", "prim::max.float_int")
def max_(g: SymbolicContext, a: _Number, b: _Number) -> Value:
    """max.int(int a, int b) -> int"""
    return g.Max(*_pair(g, a, b))


@symbolic("prim::min.int", "prim::min.float", "prim::min.int_float", "prim::min.float_int")
def min_(g: SymbolicContext, a: _Number, b: _Number) -> Value:
    """min.int(int a, int b) -> int"""
    return g.Min(*_pair(g, a, b))


@symbolic("aten::__and__.bool")
def bool_and(g: SymbolicContext, a: _Number, b: _Number) -> Value:
    """__and__.bool(bool a, bool b) -> bool"""
    return g.And(_as(g, a, ir.DataType.BOOL), _as(g, b, ir.DataType.BOOL))


@symbolic("aten::__and__.int")
def int_and(g: SymbolicContext, a: _Number, b: _Number) -> Value:
    """__and__.int(int a, int b) -> int"""
    return g.BitwiseAnd(*_pair(g, a, b))


@symbolic("aten::__or__.int")
def int_or(g: SymbolicContext, a: _Number, b: _Number) -> Value:
    """__or__.int(int a, int b) -> int"""
    return g.BitwiseOr(*_pair(g, a, b))


@symbolic("prim::abs.int", "prim::abs.float")
def abs_(g: SymbolicContext, a: _Number) -> Value:
    """abs.int(int a) -> int"""
    return g.Abs(_pair(g, a, a)[0])


@symbolic("aten::ceil.float", "aten::ceil.int")
def ceil(g: SymbolicContext, a: _Number) -> Value:
    """ceil.float(float a) -> int"""
    return g.cast(g.Ceil(_as(g, a, ir.DataType.DOUBLE)), ir.DataType.INT64) if _is_float(a) else int_(g, a)


@symbolic("aten::floor.float", "aten::floor.int")
def floor(g: SymbolicContext, a: _Number) -> Value:
    """floor.float(float a) -> int"""
    return g.cast(g.Floor(_as(g, a, ir.DataType.DOUBLE)), ir.DataType.INT64) if _is_float(a) else int_(g, a)


@symbolic("aten::__or__.bool")
def bool_or(g: SymbolicContext, a: _Number, b: _Number) -> Value:
    """__or__.bool(bool a, bool b) -> bool"""
    return g.Or(_as(g, a, ir.DataType.BOOL), _as(g, b, ir.DataType.BOOL))


@symbolic("aten::__not__")
def bool_not(g: SymbolicContext, self: _Number) -> Value:
    """__not__(bool self) -> bool"""
    return g.Not(_as(g, self, ir.DataType.BOOL))


@symbolic("aten::Float.Scalar")
def float_(g: SymbolicContext, a: _Number) -> Value:
    """Float.Scalar(Scalar a) -> float"""
    return _as(g, a, ir.DataType.DOUBLE)


@symbolic("aten::Int.Scalar", "aten::Int.bool")
def int_(g: SymbolicContext, a: _Number) -> Value:
    """Int.Scalar(Scalar a) -> int"""
    return _as(g, a, ir.DataType.INT64)


@symbolic("aten::round.Scalar")
def round_(g: SymbolicContext, a: _Number) -> Value:
    """round.Scalar(Scalar a) -> Scalar"""
    rounded = g.Round(_as(g, a, ir.DataType.DOUBLE))
    return g.cast(rounded, g.frame.expected[0].dtype or ir.DataType.DOUBLE)


@symbolic("aten::sqrt.float", "aten::sqrt.int")
def sqrt(g: SymbolicContext, a: _Number) -> Value:
    """sqrt.float(float a) -> float"""
    return g.Sqrt(_as(g, a, ir.DataType.DOUBLE))


@symbolic("prim::ite")
def ite(g: SymbolicContext, condition: _Number, a: _Number, b: _Number) -> Value:
    """One of two numbers, by a truth value; torch.sym_ite has no schema."""
    return g.Where(_as(g, condition, ir.DataType.BOOL), *_pair(g, a, b))


@symbolic("aten::item", "aten::_local_scalar_dense")
def item(g: SymbolicContext, self: Value) -> Value:
    """item(Tensor self) -> Scalar"""
    scalar = self if self.shape is not None and len(self.shape) == 0 else g.Reshape(self, g.constant([]))
    if self.dtype == ir.DataType.BOOL:
        return scalar
    return g.cast(scalar, ir.DataType.DOUBLE if is_floating(self) else ir.DataType.INT64)


@symbolic("aten::sym_size.int", "aten::size.int")
def sym_size(g: SymbolicContext, self: Value, dim: int) -> Value:
    """sym_size.int(Tensor self, int dim) -> SymInt"""
    size = dimension(g, self, dim)
    return g.constant(size) if isinstance(size, int) else size


@symbolic("aten::sym_numel", "aten::numel")
def sym_numel(g: SymbolicContext, self: Value) -> Value:
    """sym_numel(Tensor self) -> SymInt"""
    sizes = [size for size in self.shape or () if isinstance(size, int)]
    if self.shape is not None and len(sizes) == len(self.shape):
        return g.constant(math.prod(sizes))
    return g.Size(self)
