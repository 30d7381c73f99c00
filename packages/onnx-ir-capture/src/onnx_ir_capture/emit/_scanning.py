"""Running totals and extrema."""

from __future__ import annotations

import math

import onnx_ir as ir

from onnx_ir_capture.contracts import Number, Value
from onnx_ir_capture.emit._dtypes import accumulated, dtype_of, is_floating
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._reduction import extremum_over
from onnx_ir_capture.emit._shapes import dimension, normalize_axis, rank_of
from onnx_ir_capture.emit._slicing import transposed

__all__ = ["running_extremum", "running_log_sum", "running_product", "running_sum"]


def running_sum(emitter: Emitter, data: Value, dim: int, dtype: ir.DataType | None) -> Value:
    """The sum so far along ``dim``, in ``dtype``."""
    value = emitter.cast(data, accumulated(emitter, data, dtype))
    return emitter.CumSum(value, emitter.constant(dim)) if rank_of(emitter, value) else value


def running_product(emitter: Emitter, data: Value, dim: int, dtype: ir.DataType | None) -> Value:
    """The product so far along ``dim``, in ``dtype``."""
    value = emitter.cast(data, accumulated(emitter, data, dtype))
    if rank_of(emitter, value) == 0:
        return value
    if emitter.has("CumProd"):
        return emitter.CumProd(value, emitter.constant(dim))
    if not is_floating(value):
        size = dimension(emitter, value, dim)
        if not isinstance(size, int):
            emitter.refuse("its axis has no known size, for which integers need ONNX operator CumProd", 26)
        return _product_by_doubling(emitter, value, dim, size)
    front, _ = _prefixes(emitter, value, dim, 1.0)
    return _restored(emitter, emitter.ReduceProd(front, [-1], keepdims=0), dim)


def _product_by_doubling(emitter: Emitter, value: Value, dim: int, size: int) -> Value:
    """Products of up to 1, 2, 4 ... elements: integers wrap here, and not in ONNX Runtime's ReduceProd."""
    axis, distance = normalize_axis(dim, rank_of(emitter, value)), 1
    one = emitter.constant(1, dtype_of(emitter, value))
    while distance < size:
        front = emitter.Slice(value, [0], [distance], [axis])
        before = emitter.Slice(value, [0], [-distance], [axis])
        ones = emitter.Expand(one, emitter.Shape(front))
        value = emitter.Mul(value, emitter.Concat(ones, before, axis=axis))
        distance *= 2
    return value


def _prefixes(emitter: Emitter, value: Value, dim: int, filler: Number) -> tuple[Value, Value]:
    """On a new last axis the elements along ``dim`` up to each one and then ``filler``; and where they are.

    ``dim`` itself becomes the axis before. It takes the square of its size, where ONNX has no running form.
    """
    rank = rank_of(emitter, value)
    axis = normalize_axis(dim, rank)
    last = transposed(emitter, value, [*(other for other in range(rank) if other != axis), axis])
    size = dimension(emitter, value, axis)
    places = emitter.Range(0, emitter.constant(size) if isinstance(size, int) else size, 1)
    reached = emitter.LessOrEqual(places, emitter.Unsqueeze(places, [1]))
    return emitter.Where(reached, emitter.Unsqueeze(last, [-2]), filler), reached


def _restored(emitter: Emitter, value: Value, dim: int) -> Value:
    """``value`` with its last axis back at ``dim``."""
    rank = rank_of(emitter, value)
    order = list(range(rank - 1))
    order.insert(normalize_axis(dim, rank), rank - 1)
    return transposed(emitter, value, order)


def running_extremum(emitter: Emitter, value: Value, dim: int, *, largest: bool) -> tuple[Value, Value]:
    """The extremum so far, NaN once there was one, and where it, or a NaN, occurred last."""
    if rank_of(emitter, value) == 0:
        return value, emitter.constant(0)
    dtype = dtype_of(emitter, value)
    if dtype == ir.DataType.BOOL:
        found, places = running_extremum(
            emitter, emitter.cast(value, ir.DataType.UINT8), dim, largest=largest
        )
        return emitter.cast(found, dtype), places
    if dtype.is_floating_point():
        filler: Number = -math.inf if largest else math.inf
    else:
        filler = int(dtype.min if largest else dtype.max)
    front, reached = _prefixes(emitter, value, dim, filler)
    extremum = extremum_over(emitter, front, [rank_of(emitter, front) - 1], keepdims=True, largest=largest)
    equal = emitter.Equal(front, extremum)
    if is_floating(value):
        equal = emitter.Or(equal, emitter.IsNaN(front))
    size = emitter.Shape(front, start=-1)
    places = emitter.Range(0, emitter.Squeeze(size, [0]), 1)
    last = emitter.ReduceMax(emitter.Where(emitter.And(equal, reached), places, 0), [-1], keepdims=0)
    return _restored(emitter, emitter.Squeeze(extremum, [-1]), dim), _restored(emitter, last, dim)


def running_log_sum(emitter: Emitter, value: Value, dim: int) -> Value:
    """The logarithm of the sum of exponentials so far along ``dim``."""
    if rank_of(emitter, value) == 0:
        return value
    front, _ = _prefixes(emitter, value, dim, -math.inf)
    return _restored(emitter, emitter.ReduceLogSumExp(front, [-1], keepdims=0), dim)
