"""Python numbers that the program computes: sizes, and what is computed from them.

An int is a 0-d INT64 value, a float a 0-d DOUBLE.
"""

from __future__ import annotations

import math

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import dimension, floor_quotient, remainder_of
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["add", "float_", "floordiv", "mul", "remainder", "sub", "sym_numel", "sym_size"]

_Number = int | float | Value
"""A Python number: constant, or computed at run time."""


def _pair(g: SymbolicContext, a: _Number, b: _Number) -> tuple[Value, Value]:
    """Both as floats if either is one, else as ints: Python's rule."""
    dtype = ir.DataType.DOUBLE if _is_float(a) or _is_float(b) else ir.DataType.INT64
    left, right = (g.cast(n, dtype) if isinstance(n, ir.Value) else g.constant(n, dtype) for n in (a, b))
    return left, right


def _is_float(number: _Number) -> bool:
    return number.dtype == ir.DataType.DOUBLE if isinstance(number, ir.Value) else isinstance(number, float)


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


@symbolic("aten::Float.Scalar")
def float_(g: SymbolicContext, a: _Number) -> Value:
    """Float.Scalar(Scalar a) -> float"""
    return g.cast(a, ir.DataType.DOUBLE) if isinstance(a, ir.Value) else g.constant(a, ir.DataType.DOUBLE)


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
