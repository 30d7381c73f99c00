"""Running totals and extrema."""

from __future__ import annotations

import math

import onnx_ir as ir

from onnx_ir_capture.contracts import Number, Value
from onnx_ir_capture.emit import (
    accumulated,
    dimension,
    dtype_of,
    is_floating,
    normalize_axis,
    rank_of,
    transposed,
)
from onnx_torchlib import Op, translator
from onnx_torchlib.ops.reduce import amax, amin

__all__ = ["cummax", "cummin", "cumprod", "cumsum", "logcumsumexp"]


@translator("aten::cumsum")
def cumsum(op: Op, self: Value, dim: int, dtype: ir.DataType | None = None) -> Value:
    """cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor"""
    value = op.cast(self, accumulated(op, self, dtype))
    return op.CumSum(value, op.constant(dim)) if rank_of(op, value) else value


@translator("aten::cumprod")
def cumprod(op: Op, self: Value, dim: int, dtype: ir.DataType | None = None) -> Value:
    """cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor"""
    value = op.cast(self, accumulated(op, self, dtype))
    if rank_of(op, value) == 0:
        return value
    if op.has("CumProd") or not is_floating(value):
        return op.CumProd(value, op.constant(dim))
    front, _ = _prefixes(op, value, dim, 1.0)
    return _restored(op, op.ReduceProd(front, [-1], keepdims=0), dim)


def _prefixes(op: Op, value: Value, dim: int, filler: Number) -> tuple[Value, Value]:
    """On a new last axis the elements along ``dim`` up to each one and then ``filler``; and where they are.

    ``dim`` itself becomes the axis before. It takes the square of its size, where ONNX has no running form.
    """
    rank = rank_of(op, value)
    axis = normalize_axis(dim, rank)
    last = transposed(op, value, [*(other for other in range(rank) if other != axis), axis])
    size = dimension(op, value, axis)
    places = op.Range(0, op.constant(size) if isinstance(size, int) else size, 1)
    reached = op.LessOrEqual(places, op.Unsqueeze(places, [1]))
    return op.Where(reached, op.Unsqueeze(last, [-2]), filler), reached


def _restored(op: Op, value: Value, dim: int) -> Value:
    """``value`` with its last axis back at ``dim``."""
    rank = rank_of(op, value)
    order = list(range(rank - 1))
    order.insert(normalize_axis(dim, rank), rank - 1)
    return transposed(op, value, order)


@translator("aten::cummax")
def cummax(op: Op, self: Value, dim: int) -> tuple[Value, Value]:
    """cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)"""
    return _running_extremum(op, self, dim, largest=True)


@translator("aten::cummin")
def cummin(op: Op, self: Value, dim: int) -> tuple[Value, Value]:
    """cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)"""
    return _running_extremum(op, self, dim, largest=False)


def _running_extremum(op: Op, value: Value, dim: int, *, largest: bool) -> tuple[Value, Value]:
    """The extremum so far, NaN once there was one, and where it, or a NaN, occurred last."""
    if rank_of(op, value) == 0:
        return value, op.constant(0)
    dtype = dtype_of(op, value)
    if dtype == ir.DataType.BOOL:
        found, places = _running_extremum(op, op.cast(value, ir.DataType.UINT8), dim, largest=largest)
        return op.cast(found, dtype), places
    if dtype.is_floating_point():
        filler: Number = -math.inf if largest else math.inf
    else:
        filler = int(dtype.min if largest else dtype.max)
    front, reached = _prefixes(op, value, dim, filler)
    extremum = (amax if largest else amin)(op, front, [-1], True)
    equal = op.Equal(front, extremum)
    if is_floating(value):
        equal = op.Or(equal, op.IsNaN(front))
    size = op.Shape(front, start=-1)
    places = op.Range(0, op.Squeeze(size, [0]), 1)
    last = op.ReduceMax(op.Where(op.And(equal, reached), places, 0), [-1], keepdims=0)
    return _restored(op, op.Squeeze(extremum, [-1]), dim), _restored(op, last, dim)


@translator("aten::logcumsumexp")
def logcumsumexp(op: Op, self: Value, dim: int) -> Value:
    """logcumsumexp(Tensor self, int dim) -> Tensor"""
    if rank_of(op, self) == 0:
        return self
    front, _ = _prefixes(op, self, dim, -math.inf)
    return _restored(op, op.ReduceLogSumExp(front, [-1], keepdims=0), dim)
