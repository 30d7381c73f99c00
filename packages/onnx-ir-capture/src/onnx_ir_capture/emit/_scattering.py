"""Members written at an index tensor of the updates' shape, and members picked along an axis."""

from __future__ import annotations

import math

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit._division import floor_quotient
from onnx_ir_capture.emit._dtypes import HALVES, dtype_of, is_floating
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._filled import as_tensor, filled_like
from onnx_ir_capture.emit._indexing import same_shape
from onnx_ir_capture.emit._shapes import normalize_axis, rank_of

__all__ = ["reduced_along_index", "scattered", "scattered_and_reduced", "taken_along"]

_REDUCTIONS = {
    "add": "add",
    "multiply": "mul",
    "sum": "add",
    "mean": "add",
    "prod": "mul",
    "amax": "max",
    "amin": "min",
}


def taken_along(emitter: Emitter, value: Value, indices: Value, axis: int | None) -> Value:
    """The members of ``value`` at ``indices`` of one axis, of the flattened tensor where it is None."""
    if axis is None:
        return emitter.GatherElements(emitter.Reshape(value, [-1]), emitter.Reshape(indices, [-1]), axis=0)
    axis = normalize_axis(axis, rank_of(emitter, value))
    # Both are broadcast to each other on all axes but this one.
    lines, places = _spread(emitter, value, indices, axis), _spread(emitter, indices, value, axis)
    return emitter.GatherElements(lines, places, axis=axis)


def _spread(emitter: Emitter, value: Value, other: Value, axis: int) -> Value:
    shape = emitter.Shape(other)
    before, after = (
        emitter.Slice(shape, [0], [axis]),
        emitter.Slice(shape, [axis + 1], [len(other.shape or ())]),
    )
    return emitter.Expand(value, emitter.Concat(before, [1], after, axis=0))


def scattered_and_reduced(
    emitter: Emitter, data: Value, dim: int, index: Value, src: Value, way: str, include_self: bool = True
) -> Value:
    """``data`` with what ``src`` holds for one place reduced in the ``way`` that torch names."""
    reduction = _REDUCTIONS[way]
    base = data
    if not include_self:
        neutral = as_tensor(emitter, _neutral(dtype_of(emitter, data), reduction), dtype_of(emitter, data))
        base = scattered(emitter, data, dim, index, neutral)
    result = _scattered(emitter, base, dim, index, src, reduction)
    return _mean(emitter, result, dim, index, include_self) if way == "mean" else result


def reduced_along_index(
    emitter: Emitter, data: Value, dim: int, index: Value, source: Value, way: str, include_self: bool
) -> Value:
    """``data`` with the members of ``source`` along one axis reduced into those that ``index`` names."""
    axis, rank = normalize_axis(dim, rank_of(emitter, source)), rank_of(emitter, source)
    others = [other for other in range(rank) if other != axis]
    places = emitter.Unsqueeze(index, others) if others and rank_of(emitter, index) else index
    places = emitter.Expand(places, emitter.Shape(source))
    return scattered_and_reduced(emitter, data, dim, places, source, way, include_self)


def _mean(emitter: Emitter, total: Value, dim: int, index: Value, include_self: bool) -> Value:
    """``total`` by the number of elements that went into it; torch rounds the quotient of integers down."""
    dtype = dtype_of(emitter, total)
    one = as_tensor(emitter, 1, dtype)
    if include_self:
        return _quotient(
            emitter, total, _scattered(emitter, filled_like(emitter, total, 1, dtype), dim, index, one, "add")
        )
    count = _scattered(emitter, filled_like(emitter, total, 0, dtype), dim, index, one, "add")
    return _quotient(emitter, total, emitter.Max(count, one))


def _quotient(emitter: Emitter, total: Value, count: Value) -> Value:
    return emitter.Div(total, count) if is_floating(total) else floor_quotient(emitter, total, count)


def _neutral(dtype: ir.DataType, reduction: str) -> int | float:
    """What changes nothing when it is reduced with."""
    if reduction == "add":
        return 0
    if reduction == "mul" or dtype == ir.DataType.BOOL:
        return int(reduction != "max")
    if dtype.is_floating_point():
        return -math.inf if reduction == "max" else math.inf
    return int(dtype.min if reduction == "max" else dtype.max)


def scattered(emitter: Emitter, data: Value, dim: int, index: Value, src: Value) -> Value:
    """``data`` with the first elements of ``src`` along each axis, or the number ``src``, at ``index``."""
    return _scattered(emitter, data, dim, index, src, "none")


def _scattered(emitter: Emitter, data: Value, dim: int, index: Value, src: Value, reduction: str) -> Value:
    if rank_of(emitter, data) == 0:
        updates = src if rank_of(emitter, src) == 0 else emitter.Reshape(src, [-1])
        line = _scattered(
            emitter, emitter.Reshape(data, [1]), 0, emitter.Reshape(index, [-1]), updates, reduction
        )
        return emitter.Reshape(line, emitter.constant([]))
    places = index if rank_of(emitter, index) else emitter.Reshape(index, [1])
    updates = _as_many(emitter, src, places)
    axis = normalize_axis(dim, rank_of(emitter, data))
    if reduction == "none":
        return emitter.ScatterElements(data, places, updates, axis=axis)
    return _reduced(emitter, data, places, updates, axis, reduction)


def _as_many(emitter: Emitter, src: Value, places: Value) -> Value:
    if rank_of(emitter, src) == 0:
        return emitter.Expand(src, emitter.Shape(places))
    if same_shape(src, places):
        return src
    axes = list(range(rank_of(emitter, src)))
    return emitter.Slice(src, [0] * len(axes), emitter.Shape(places), axes)


def _reduced(
    emitter: Emitter, data: Value, places: Value, updates: Value, axis: int, reduction: str
) -> Value:
    dtype = dtype_of(emitter, data)
    if dtype == ir.DataType.BOOL or dtype in HALVES:
        # A sum of bools is true where one is, a product where all are; ONNX Runtime reduces no halves.
        wide = ir.DataType.FLOAT if dtype in HALVES else ir.DataType.INT32
        result = _reduced(
            emitter, emitter.cast(data, wide), places, emitter.cast(updates, wide), axis, reduction
        )
        return emitter.cast(result, dtype)
    result = emitter.ScatterElements(data, places, updates, axis=axis, reduction=reduction)
    if reduction not in ("max", "min") or not is_floating(data):
        return result
    # Torch's extremum of anything with NaN is NaN; ONNX does not say, and ONNX Runtime skips it.
    undefined = [emitter.cast(emitter.IsNaN(value), ir.DataType.INT32) for value in (data, updates)]
    some = emitter.ScatterElements(undefined[0], places, undefined[1], axis=axis, reduction="max")
    return emitter.Where(emitter.cast(some, ir.DataType.BOOL), math.nan, result)
