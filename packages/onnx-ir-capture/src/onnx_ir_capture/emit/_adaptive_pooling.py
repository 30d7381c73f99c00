"""Maxima of as many windows as the result is to have."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np
import onnx_ir as ir

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._reduction import extremum_over, position_of_extremum
from onnx_ir_capture.emit._shapes import dimension, rank_of, size_vector

__all__ = ["adaptive_max_pooled"]

_ALLOWZERO = 14


def adaptive_max_pooled(
    emitter: Emitter, self: Value, axes: int, output_size: Sequence[int]
) -> tuple[Value, Value]:
    """The largest element of each of ``output_size`` windows, and where it lies in its plane."""
    wanted = list(output_size) * axes if len(output_size) == 1 else list(output_size)
    sizes = [dimension(emitter, self, axis - axes) for axis in range(axes)]
    known = [size for size in sizes if isinstance(size, int)]
    if len(known) == axes and 0 not in wanted:
        kernel = [size // count for size, count in zip(known, wanted, strict=True) if size % count == 0]
        if len(kernel) == axes and 0 not in kernel:
            return _side_by_side(emitter, self, kernel)
    return _apart(
        emitter, self, [_windows(emitter, size, count) for size, count in zip(sizes, wanted, strict=True)]
    )


def _side_by_side(emitter: Emitter, self: Value, kernel: Sequence[int]) -> tuple[Value, Value]:
    """Windows that are all alike."""
    batched = self if rank_of(emitter, self) == len(kernel) + 2 else emitter.Unsqueeze(self, [0])
    values, places = emitter.MaxPool(batched, kernel_shape=kernel, strides=kernel, outputs=2)
    # ONNX counts places through the whole tensor, torch in each plane of its own.
    places = emitter.Mod(places, emitter.ReduceProd(emitter.Shape(batched, start=2), keepdims=0))
    if batched is self:
        return values, places
    return emitter.Squeeze(values, [0]), emitter.Squeeze(places, [0])


@dataclasses.dataclass(frozen=True)
class _Windows:
    """The windows along one axis: of each the first element, and all elements up to the longest window's."""

    size: SymInt
    first: Value
    last: Value
    length: SymInt
    count: int


def _windows(emitter: Emitter, size: SymInt, count: int) -> _Windows:
    """Window i is [i * size // count, ceil((i + 1) * size / count))."""
    if isinstance(size, int):
        steps = np.arange(count)
        first = steps * size // count
        behind = -(-(steps + 1) * size // count)
        longest = int((behind - first).max()) if count else 0
        return _Windows(size, emitter.constant(first), emitter.constant(behind - 1), longest, count)
    begin = emitter.Div(emitter.Mul(emitter.constant(np.arange(count)), size), count)
    end = emitter.Div(
        emitter.Add(emitter.Mul(emitter.constant(np.arange(1, count + 1)), size), count - 1), count
    )
    most = emitter.ReduceMax(emitter.Sub(end, begin), keepdims=0)
    return _Windows(size, begin, emitter.Sub(end, 1), most, count)


def _apart(emitter: Emitter, self: Value, windows: Sequence[_Windows]) -> tuple[Value, Value]:
    """The windows' elements gathered side by side; shorter windows repeat their last."""
    value, axes = self, len(windows)
    for axis, window in enumerate(windows):
        value = emitter.Gather(value, _elements(emitter, window), axis=axis - axes)
    batch = rank_of(emitter, self) - axes
    counted = [batch + 2 * axis for axis in range(axes)]
    order = [*range(batch), *counted, *(axis + 1 for axis in counted)]
    lengths = size_vector(emitter, [window.length for window in windows])
    within = emitter.ReduceProd(lengths, keepdims=1)
    counts = emitter.constant([window.count for window in windows])
    shape = emitter.Concat(emitter.Shape(self, end=batch), counts, within, axis=0)
    # A batch of none stands at the same place before and after, which is what a size of 0 copies without it.
    allowzero = int(emitter.opset >= _ALLOWZERO)
    members = emitter.Reshape(emitter.Transpose(value, perm=order), shape, allowzero=allowzero)
    if members.shape is None:
        # Before opset 11 inference does not follow a shape that is put together at run time.
        members.shape = ir.Shape([None] * (batch + axes + 1))
    largest = extremum_over(emitter, members, [-1], keepdims=False, largest=True)
    best = position_of_extremum(emitter, members, -1, keepdims=False, largest=True)
    return largest, _places(emitter, windows, best)


def _elements(emitter: Emitter, window: _Windows) -> Value:
    members = emitter.Range(0, window.length, 1)
    return emitter.Min(
        emitter.Add(emitter.Unsqueeze(window.first, [1]), members), emitter.Unsqueeze(window.last, [1])
    )


def _places(emitter: Emitter, windows: Sequence[_Windows], best: Value) -> Value:
    """Where in the plane the ``best`` element of each window lies."""
    total: Value | None = None
    for axis, window in enumerate(windows):
        behind = windows[axis + 1 :]
        step = emitter.Mod(
            emitter.Div(best, _product(emitter, [other.length for other in behind])), window.length
        )
        trailing = list(range(1, len(behind) + 1))
        first = emitter.Unsqueeze(window.first, trailing) if trailing else window.first
        last = emitter.Unsqueeze(window.last, trailing) if trailing else window.last
        place = emitter.Min(emitter.Add(step, first), last)
        total = place if total is None else emitter.Add(emitter.Mul(total, window.size), place)
    if total is None:
        raise ValueError("pooling needs an axis")
    return total


def _product(emitter: Emitter, numbers: Sequence[SymInt]) -> SymInt:
    constants = [number for number in numbers if isinstance(number, int)]
    if len(constants) == len(numbers):
        return math.prod(constants)
    return emitter.ReduceProd(size_vector(emitter, numbers), keepdims=0)
