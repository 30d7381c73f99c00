"""Maxima of as many windows as the result is to have."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import dimension, rank_of, size_vector
from onnx_torchlib import Op, translator
from onnx_torchlib.ops.reduce import max_dim

__all__ = ["adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d"]


@translator("aten::adaptive_max_pool1d")
def adaptive_max_pool1d(op: Op, self: Value, output_size: Sequence[int]) -> tuple[Value, Value]:
    """adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)"""
    return _adaptive_max_pool(op, self, 1, output_size)


@translator("aten::adaptive_max_pool2d")
def adaptive_max_pool2d(op: Op, self: Value, output_size: Sequence[int]) -> tuple[Value, Value]:
    """adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)"""
    return _adaptive_max_pool(op, self, 2, output_size)


@translator("aten::adaptive_max_pool3d")
def adaptive_max_pool3d(op: Op, self: Value, output_size: Sequence[int]) -> tuple[Value, Value]:
    """adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)"""
    return _adaptive_max_pool(op, self, 3, output_size)


def _adaptive_max_pool(op: Op, self: Value, axes: int, output_size: Sequence[int]) -> tuple[Value, Value]:
    wanted = list(output_size) * axes if len(output_size) == 1 else list(output_size)
    sizes = [dimension(op, self, axis - axes) for axis in range(axes)]
    known = [size for size in sizes if isinstance(size, int)]
    if len(known) == axes and 0 not in wanted:
        kernel = [size // count for size, count in zip(known, wanted, strict=True) if size % count == 0]
        if len(kernel) == axes and 0 not in kernel:
            return _side_by_side(op, self, kernel)
    return _apart(op, self, [_windows(op, size, count) for size, count in zip(sizes, wanted, strict=True)])


def _side_by_side(op: Op, self: Value, kernel: Sequence[int]) -> tuple[Value, Value]:
    """Windows that are all alike."""
    batched = self if rank_of(op, self) == len(kernel) + 2 else op.Unsqueeze(self, [0])
    values, places = op.MaxPool(batched, kernel_shape=kernel, strides=kernel, outputs=2)
    # ONNX counts places through the whole tensor, torch in each plane of its own.
    places = op.Mod(places, op.ReduceProd(op.Shape(batched, start=2), keepdims=0))
    if batched is self:
        return values, places
    return op.Squeeze(values, [0]), op.Squeeze(places, [0])


@dataclasses.dataclass(frozen=True)
class _Windows:
    """The windows along one axis: of each the first element, and all elements up to the longest window's."""

    size: SymInt
    first: Value
    last: Value
    length: SymInt
    count: int


def _windows(op: Op, size: SymInt, count: int) -> _Windows:
    """Window i is [i * size // count, ceil((i + 1) * size / count))."""
    if isinstance(size, int):
        steps = np.arange(count)
        first = steps * size // count
        behind = -(-(steps + 1) * size // count)
        longest = int((behind - first).max()) if count else 0
        return _Windows(size, op.constant(first), op.constant(behind - 1), longest, count)
    begin = op.Div(op.Mul(op.constant(np.arange(count)), size), count)
    end = op.Div(op.Add(op.Mul(op.constant(np.arange(1, count + 1)), size), count - 1), count)
    most = op.ReduceMax(op.Sub(end, begin), keepdims=0)
    return _Windows(size, begin, op.Sub(end, 1), most, count)


def _apart(op: Op, self: Value, windows: Sequence[_Windows]) -> tuple[Value, Value]:
    """The windows' elements gathered side by side; shorter windows repeat their last."""
    value, axes = self, len(windows)
    for axis, window in enumerate(windows):
        value = op.Gather(value, _elements(op, window), axis=axis - axes)
    batch = rank_of(op, self) - axes
    counted = [batch + 2 * axis for axis in range(axes)]
    order = [*range(batch), *counted, *(axis + 1 for axis in counted)]
    lengths = size_vector(op, [window.length for window in windows])
    within = op.ReduceProd(lengths, keepdims=1)
    counts = op.constant([window.count for window in windows])
    shape = op.Concat(op.Shape(self, end=batch), counts, within, axis=0)
    members = op.Reshape(op.Transpose(value, perm=order), shape, allowzero=1)
    largest, best = max_dim(op, members, -1)
    return largest, _places(op, windows, best)


def _elements(op: Op, window: _Windows) -> Value:
    members = op.Range(0, window.length, 1)
    return op.Min(op.Add(op.Unsqueeze(window.first, [1]), members), op.Unsqueeze(window.last, [1]))


def _places(op: Op, windows: Sequence[_Windows], best: Value) -> Value:
    """Where in the plane the ``best`` element of each window lies."""
    total: Value | None = None
    for axis, window in enumerate(windows):
        behind = windows[axis + 1 :]
        step = op.Mod(op.Div(best, _product(op, [other.length for other in behind])), window.length)
        trailing = list(range(1, len(behind) + 1))
        first = op.Unsqueeze(window.first, trailing) if trailing else window.first
        last = op.Unsqueeze(window.last, trailing) if trailing else window.last
        place = op.Min(op.Add(step, first), last)
        total = place if total is None else op.Add(op.Mul(total, window.size), place)
    if total is None:
        raise ValueError("pooling needs an axis")
    return total


def _product(op: Op, numbers: Sequence[SymInt]) -> SymInt:
    constants = [number for number in numbers if isinstance(number, int)]
    if len(constants) == len(numbers):
        return math.prod(constants)
    return op.ReduceProd(size_vector(op, numbers), keepdims=0)
