"""Members picked by an index tensor of the result's shape, and written by one."""

from __future__ import annotations

import math

import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit import (
    HALVES,
    as_tensor,
    dtype_of,
    filled_like,
    floor_quotient,
    gathered,
    is_floating,
    normalize_axis,
    rank_of,
    same_shape,
)
from onnx_torchlib import Op, translator

__all__ = [
    "gather",
    "index_reduce",
    "scatter",
    "scatter_add",
    "scatter_reduce",
    "scatter_value",
    "scatter_value_with",
    "scatter_with",
    "take_along_dim",
]

_REDUCTIONS = {
    "add": "add",
    "multiply": "mul",
    "sum": "add",
    "mean": "add",
    "prod": "mul",
    "amax": "max",
    "amin": "min",
}


@translator("aten::gather")
def gather(op: Op, self: Value, dim: int, index: Value, sparse_grad: bool = False) -> Value:
    """gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor"""
    return gathered(op, self, dim, index)


@translator("aten::take_along_dim")
def take_along_dim(op: Op, self: Value, indices: Value, dim: int | None = None) -> Value:
    """take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor"""
    if dim is None:
        return op.GatherElements(op.Reshape(self, [-1]), op.Reshape(indices, [-1]), axis=0)
    axis = normalize_axis(dim, rank_of(op, self))
    # Both are broadcast to each other on all axes but this one.
    return op.GatherElements(_spread(op, self, indices, axis), _spread(op, indices, self, axis), axis=axis)


def _spread(op: Op, value: Value, other: Value, axis: int) -> Value:
    shape = op.Shape(other)
    before, after = op.Slice(shape, [0], [axis]), op.Slice(shape, [axis + 1], [len(other.shape or ())])
    return op.Expand(value, op.Concat(before, [1], after, axis=0))


@translator("aten::scatter.src")
def scatter(op: Op, self: Value, dim: int, index: Value, src: Value) -> Value:
    """scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor"""
    return _scattered(op, self, dim, index, src)


@translator("aten::scatter.value")
def scatter_value(op: Op, self: Value, dim: int, index: Value, value: Scalar) -> Value:
    """scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor"""
    return _scattered(op, self, dim, index, as_tensor(op, value, dtype_of(op, self)))


@translator("aten::scatter.reduce")
def scatter_with(op: Op, self: Value, dim: int, index: Value, src: Value, reduce: str) -> Value:
    """scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor"""
    return _scattered(op, self, dim, index, src, _REDUCTIONS[reduce])


@translator("aten::scatter.value_reduce")
def scatter_value_with(op: Op, self: Value, dim: int, index: Value, value: Scalar, reduce: str) -> Value:
    """scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor"""
    return _scattered(op, self, dim, index, as_tensor(op, value, dtype_of(op, self)), _REDUCTIONS[reduce])


@translator("aten::scatter_add")
def scatter_add(op: Op, self: Value, dim: int, index: Value, src: Value) -> Value:
    """scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor"""
    return _scattered(op, self, dim, index, src, "add")


@translator("aten::scatter_reduce.two")
def scatter_reduce(
    op: Op, self: Value, dim: int, index: Value, src: Value, reduce: str, include_self: bool = True
) -> Value:
    """scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True) -> Tensor"""
    reduction = _REDUCTIONS[reduce]
    base = self
    if not include_self:
        neutral = as_tensor(op, _neutral(dtype_of(op, self), reduction), dtype_of(op, self))
        base = _scattered(op, self, dim, index, neutral)
    result = _scattered(op, base, dim, index, src, reduction)
    return _mean(op, result, dim, index, include_self) if reduce == "mean" else result


@translator("aten::index_reduce")
def index_reduce(
    op: Op, self: Value, dim: int, index: Value, source: Value, reduce: str, include_self: bool = True
) -> Value:
    """index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True) -> Tensor"""
    axis, rank = normalize_axis(dim, rank_of(op, source)), rank_of(op, source)
    others = [other for other in range(rank) if other != axis]
    places = op.Unsqueeze(index, others) if others and rank_of(op, index) else index
    return scatter_reduce(op, self, dim, op.Expand(places, op.Shape(source)), source, reduce, include_self)


def _mean(op: Op, total: Value, dim: int, index: Value, include_self: bool) -> Value:
    """``total`` by the number of elements that went into it, whose quotient torch rounds down for integers."""
    dtype = dtype_of(op, total)
    one = as_tensor(op, 1, dtype)
    if include_self:
        return _quotient(op, total, _scattered(op, filled_like(op, total, 1, dtype), dim, index, one, "add"))
    count = _scattered(op, filled_like(op, total, 0, dtype), dim, index, one, "add")
    return _quotient(op, total, op.Max(count, one))


def _quotient(op: Op, total: Value, count: Value) -> Value:
    return op.Div(total, count) if is_floating(total) else floor_quotient(op, total, count)


def _neutral(dtype: ir.DataType, reduction: str) -> int | float:
    """What changes nothing when it is reduced with."""
    if reduction == "add":
        return 0
    if reduction == "mul" or dtype == ir.DataType.BOOL:
        return int(reduction != "max")
    if dtype.is_floating_point():
        return -math.inf if reduction == "max" else math.inf
    return int(dtype.min if reduction == "max" else dtype.max)


def _scattered(op: Op, self: Value, dim: int, index: Value, src: Value, reduction: str = "none") -> Value:
    """``self`` with the first elements of ``src`` along each axis, or the number ``src``, at ``index``."""
    if rank_of(op, self) == 0:
        updates = src if rank_of(op, src) == 0 else op.Reshape(src, [-1])
        line = _scattered(op, op.Reshape(self, [1]), 0, op.Reshape(index, [-1]), updates, reduction)
        return op.Reshape(line, op.constant([]))
    places = index if rank_of(op, index) else op.Reshape(index, [1])
    updates = _as_many(op, src, places)
    axis = normalize_axis(dim, rank_of(op, self))
    if reduction == "none":
        return op.ScatterElements(self, places, updates, axis=axis)
    return _reduced(op, self, places, updates, axis, reduction)


def _as_many(op: Op, src: Value, places: Value) -> Value:
    if rank_of(op, src) == 0:
        return op.Expand(src, op.Shape(places))
    if same_shape(src, places):
        return src
    axes = list(range(rank_of(op, src)))
    return op.Slice(src, [0] * len(axes), op.Shape(places), axes)


def _reduced(op: Op, data: Value, places: Value, updates: Value, axis: int, reduction: str) -> Value:
    dtype = dtype_of(op, data)
    if dtype == ir.DataType.BOOL or dtype in HALVES:
        # A sum of bools is true where one of them is, a product where all are; ONNX Runtime reduces no halves.
        wide = ir.DataType.FLOAT if dtype in HALVES else ir.DataType.INT32
        result = _reduced(op, op.cast(data, wide), places, op.cast(updates, wide), axis, reduction)
        return op.cast(result, dtype)
    result = op.ScatterElements(data, places, updates, axis=axis, reduction=reduction)
    if reduction not in ("max", "min") or not is_floating(data):
        return result
    # Torch's extremum of anything with NaN is NaN; ONNX does not say, and ONNX Runtime skips it.
    undefined = [op.cast(op.IsNaN(value), ir.DataType.INT32) for value in (data, updates)]
    some = op.ScatterElements(undefined[0], places, undefined[1], axis=axis, reduction="max")
    return op.Where(op.cast(some, ir.DataType.BOOL), math.nan, result)
