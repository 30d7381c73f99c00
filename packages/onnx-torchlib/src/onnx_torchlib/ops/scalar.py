"""Python numbers that the program computes: sizes, and what is computed from them and from tensors.

An int is a 0-d INT64 value, a float a 0-d DOUBLE, a bool a 0-d BOOL.
"""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import dimension, floor_quotient, integer_power, is_floating, remainder_of
from onnx_torchlib import Op, translator

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


def _as(op: Op, number: _Number, dtype: ir.DataType) -> Value:
    return op.cast(number, dtype) if isinstance(number, ir.Value) else op.constant(number, dtype)


def _pair(op: Op, a: _Number, b: _Number) -> tuple[Value, Value]:
    """Both as floats if either is one, else as ints: Python's rule."""
    dtype = ir.DataType.DOUBLE if _is_float(a) or _is_float(b) else ir.DataType.INT64
    return _as(op, a, dtype), _as(op, b, dtype)


def _is_float(number: _Number) -> bool:
    return is_floating(number) if isinstance(number, ir.Value) else isinstance(number, float)


@translator("aten::add.int", "aten::add.float", "aten::add.int_float", "aten::add.float_int")
def add(op: Op, a: _Number, b: _Number) -> Value:
    """add.int(int a, int b) -> int"""
    return op.Add(*_pair(op, a, b))


@translator("aten::sub.int", "aten::sub.float", "aten::sub.int_float", "aten::sub.float_int")
def sub(op: Op, a: _Number, b: _Number) -> Value:
    """sub.int(int a, int b) -> int"""
    return op.Sub(*_pair(op, a, b))


@translator("aten::mul.int", "aten::mul.float", "aten::mul.int_float", "aten::mul.float_int")
def mul(op: Op, a: _Number, b: _Number) -> Value:
    """mul.int(int a, int b) -> int"""
    return op.Mul(*_pair(op, a, b))


@translator(
    "aten::floordiv.int", "aten::floordiv.float", "aten::floordiv.int_float", "aten::floordiv.float_int"
)
def floordiv(op: Op, a: _Number, b: _Number) -> Value:
    """floordiv.int(int a, int b) -> int"""
    return floor_quotient(op, *_pair(op, a, b))


@translator(
    "aten::remainder.int", "aten::remainder.float", "aten::remainder.int_float", "aten::remainder.float_int"
)
def remainder(op: Op, a: _Number, b: _Number) -> Value:
    """remainder.int(int a, int b) -> int"""
    return remainder_of(op, *_pair(op, a, b))


@translator("aten::div.int", "aten::div.float", "aten::div")
def div(op: Op, a: _Number, b: _Number) -> Value:
    """div.int(int a, int b) -> float"""
    return op.Div(_as(op, a, ir.DataType.DOUBLE), _as(op, b, ir.DataType.DOUBLE))


@translator(
    "aten::pow.int", "aten::pow.float", "aten::pow.int_float", "aten::pow.float_int", "aten::pow.int_to_int"
)
def pow_(op: Op, a: _Number, b: _Number) -> Value:
    """pow.int(int a, int b) -> float"""
    if op.frame.expected[0].dtype == ir.DataType.DOUBLE:
        # TorchScript's integers have a float for their power.
        return op.Pow(_as(op, a, ir.DataType.DOUBLE), _as(op, b, ir.DataType.DOUBLE))
    if isinstance(b, ir.Value | float):
        op.refuse("an integer is raised to a power that is computed at run time")
    return integer_power(op, _as(op, a, ir.DataType.INT64), b)


@translator("aten::neg.int", "aten::neg.float")
def neg(op: Op, a: _Number) -> Value:
    """neg.int(int a) -> int"""
    return op.Neg(_pair(op, a, a)[0])


@translator("aten::eq.int", "aten::eq.float", "aten::eq.int_float", "aten::eq.float_int", "aten::eq.bool")
def eq(op: Op, a: _Number, b: _Number) -> Value:
    """eq.int(int a, int b) -> bool"""
    return op.Equal(*_pair(op, a, b))


@translator("aten::ne.int", "aten::ne.float", "aten::ne.int_float", "aten::ne.float_int", "aten::ne.bool")
def ne(op: Op, a: _Number, b: _Number) -> Value:
    """ne.int(int a, int b) -> bool"""
    return op.Not(eq(op, a, b))


@translator("aten::lt.int", "aten::lt.float", "aten::lt.int_float", "aten::lt.float_int")
def lt(op: Op, a: _Number, b: _Number) -> Value:
    """lt.int(int a, int b) -> bool"""
    return op.Less(*_pair(op, a, b))


@translator("aten::le.int", "aten::le.float", "aten::le.int_float", "aten::le.float_int")
def le(op: Op, a: _Number, b: _Number) -> Value:
    """le.int(int a, int b) -> bool"""
    return op.LessOrEqual(*_pair(op, a, b))


@translator("aten::gt.int", "aten::gt.float", "aten::gt.int_float", "aten::gt.float_int")
def gt(op: Op, a: _Number, b: _Number) -> Value:
    """gt.int(int a, int b) -> bool"""
    return op.Greater(*_pair(op, a, b))


@translator("aten::ge.int", "aten::ge.float", "aten::ge.int_float", "aten::ge.float_int")
def ge(op: Op, a: _Number, b: _Number) -> Value:
    """ge.int(int a, int b) -> bool"""
    return op.GreaterOrEqual(*_pair(op, a, b))


@translator("prim::max.int", "prim::max.float", "prim::max.int_float", "prim::max.float_int")
def max_(op: Op, a: _Number, b: _Number) -> Value:
    """max.int(int a, int b) -> int"""
    return op.Max(*_pair(op, a, b))


@translator("prim::min.int", "prim::min.float", "prim::min.int_float", "prim::min.float_int")
def min_(op: Op, a: _Number, b: _Number) -> Value:
    """min.int(int a, int b) -> int"""
    return op.Min(*_pair(op, a, b))


@translator("aten::__and__.bool")
def bool_and(op: Op, a: _Number, b: _Number) -> Value:
    """__and__.bool(bool a, bool b) -> bool"""
    return op.And(_as(op, a, ir.DataType.BOOL), _as(op, b, ir.DataType.BOOL))


@translator("aten::__and__.int")
def int_and(op: Op, a: _Number, b: _Number) -> Value:
    """__and__.int(int a, int b) -> int"""
    return op.BitwiseAnd(*_pair(op, a, b))


@translator("aten::__or__.int")
def int_or(op: Op, a: _Number, b: _Number) -> Value:
    """__or__.int(int a, int b) -> int"""
    return op.BitwiseOr(*_pair(op, a, b))


@translator("prim::abs.int", "prim::abs.float")
def abs_(op: Op, a: _Number) -> Value:
    """abs.int(int a) -> int"""
    return op.Abs(_pair(op, a, a)[0])


@translator("aten::ceil.float", "aten::ceil.int")
def ceil(op: Op, a: _Number) -> Value:
    """ceil.float(float a) -> int"""
    return (
        op.cast(op.Ceil(_as(op, a, ir.DataType.DOUBLE)), ir.DataType.INT64) if _is_float(a) else int_(op, a)
    )


@translator("aten::floor.float", "aten::floor.int")
def floor(op: Op, a: _Number) -> Value:
    """floor.float(float a) -> int"""
    return (
        op.cast(op.Floor(_as(op, a, ir.DataType.DOUBLE)), ir.DataType.INT64) if _is_float(a) else int_(op, a)
    )


@translator("aten::__or__.bool")
def bool_or(op: Op, a: _Number, b: _Number) -> Value:
    """__or__.bool(bool a, bool b) -> bool"""
    return op.Or(_as(op, a, ir.DataType.BOOL), _as(op, b, ir.DataType.BOOL))


@translator("aten::__not__")
def bool_not(op: Op, self: _Number) -> Value:
    """__not__(bool self) -> bool"""
    return op.Not(_as(op, self, ir.DataType.BOOL))


@translator("aten::Float.Scalar")
def float_(op: Op, a: _Number) -> Value:
    """Float.Scalar(Scalar a) -> float"""
    return _as(op, a, ir.DataType.DOUBLE)


@translator("aten::Int.Scalar", "aten::Int.bool")
def int_(op: Op, a: _Number) -> Value:
    """Int.Scalar(Scalar a) -> int"""
    return _as(op, a, ir.DataType.INT64)


@translator("aten::round.Scalar")
def round_(op: Op, a: _Number) -> Value:
    """round.Scalar(Scalar a) -> Scalar"""
    rounded = op.Round(_as(op, a, ir.DataType.DOUBLE))
    return op.cast(rounded, op.frame.expected[0].dtype or ir.DataType.DOUBLE)


@translator("aten::sqrt.float", "aten::sqrt.int")
def sqrt(op: Op, a: _Number) -> Value:
    """sqrt.float(float a) -> float"""
    return op.Sqrt(_as(op, a, ir.DataType.DOUBLE))


@translator("prim::ite")
def ite(op: Op, condition: _Number, a: _Number, b: _Number) -> Value:
    """One of two numbers, by a truth value; torch.sym_ite has no schema."""
    return op.Where(_as(op, condition, ir.DataType.BOOL), *_pair(op, a, b))


@translator("aten::item", "aten::_local_scalar_dense")
def item(op: Op, self: Value) -> Value:
    """item(Tensor self) -> Scalar"""
    scalar = self if self.shape is not None and len(self.shape) == 0 else op.Reshape(self, op.constant([]))
    if self.dtype == ir.DataType.BOOL:
        return scalar
    return op.cast(scalar, ir.DataType.DOUBLE if is_floating(self) else ir.DataType.INT64)


@translator("aten::sym_size.int")
def sym_size(op: Op, self: Value, dim: int) -> Value:
    """sym_size.int(Tensor self, int dim) -> SymInt"""
    size = dimension(op, self, dim)
    return op.constant(size) if isinstance(size, int) else size


@translator("aten::sym_numel", "aten::numel")
def sym_numel(op: Op, self: Value) -> Value:
    """sym_numel(Tensor self) -> SymInt"""
    return op.Size(self)
