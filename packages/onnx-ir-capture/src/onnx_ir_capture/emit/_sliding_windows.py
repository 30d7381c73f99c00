"""Windows that slide along axes, taken apart and put together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit._dtypes import dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._filled import as_tensor
from onnx_ir_capture.emit._shapes import dimension, normalize_axis, rank_of, size_vector
from onnx_ir_capture.emit._windows import per_axis, with_batch

__all__ = ["columns_of_windows", "images_of_columns", "windows_along"]


def windows_along(emitter: Emitter, value: Value, dim: int, size: int, step: int) -> Value:
    """Windows of ``size`` elements along an axis, every ``step`` elements, in a new last axis."""
    if rank_of(emitter, value) == 0:
        return emitter.Expand(emitter.Reshape(value, [1]), [size])
    axis = normalize_axis(dim, rank_of(emitter, value))
    windows = emitter.Gather(value, _elements(emitter, value, axis, size, step), axis=axis)
    # The windows stand in ``axis``, their elements behind it.
    rest = range(axis + 2, rank_of(emitter, value) + 1)
    return emitter.Transpose(windows, perm=[*range(axis + 1), *rest, axis + 1]) if rest else windows


def _elements(emitter: Emitter, value: Value, axis: int, size: int, step: int) -> Value:
    """One row of places for each window."""
    return _rows(emitter, _starts(emitter, dimension(emitter, value, axis), size, step), np.arange(size))


def _starts(emitter: Emitter, length: SymInt, reach: int, step: int) -> Value:
    """Where the windows that reach over ``reach`` elements begin."""
    if isinstance(length, int):
        return emitter.constant(np.arange(0, length - reach + 1, step))
    return emitter.Range(0, emitter.Sub(length, reach - 1), step)


def _rows(emitter: Emitter, starts: Value, members: np.ndarray) -> Value:
    return emitter.Add(emitter.Unsqueeze(starts, [1]), emitter.constant(members))


def columns_of_windows(
    emitter: Emitter,
    data: Value,
    kernel_size: Sequence[int],
    dilation: Sequence[int],
    padding: Sequence[int],
    stride: Sequence[int],
) -> Value:
    """The elements of each window of images as a column."""
    kernel, spread, steps = (
        per_axis(emitter, sizes, 2, "window") for sizes in (kernel_size, dilation, stride)
    )
    pad = per_axis(emitter, padding, 2, "padding")

    def call(value: Value) -> Value:
        if any(pad):
            zero = as_tensor(emitter, 0, dtype_of(emitter, value))
            value = emitter.Pad(value, [0, 0, *pad, 0, 0, *pad], zero)
        patches = value
        for axis in (0, 1):
            reach = spread[axis] * (kernel[axis] - 1) + 1
            starts = _starts(emitter, dimension(emitter, value, axis + 2), reach, steps[axis])
            # The elements of a window in front, then the windows.
            members = emitter.constant(np.arange(kernel[axis]).reshape(-1, 1) * spread[axis])
            patches = emitter.Gather(patches, emitter.Add(members, starts), axis=2 + 2 * axis)
        columns = emitter.Transpose(patches, perm=[0, 1, 2, 4, 3, 5])
        return emitter.Reshape(columns, _column_shape(emitter, columns, kernel[0] * kernel[1]), allowzero=1)

    return with_batch(emitter, data, 2, call)


def _column_shape(emitter: Emitter, columns: Value, elements: int) -> Value:
    """Batch, the elements of a window in all channels, windows."""
    batch, channels = emitter.Shape(columns, end=1), emitter.Shape(columns, start=1, end=2)
    windows = emitter.ReduceProd(emitter.Shape(columns, start=4), keepdims=1)
    return emitter.Concat(batch, emitter.Mul(channels, elements), windows, axis=0)


def images_of_columns(
    emitter: Emitter,
    data: Value,
    output_size: Sequence[SymInt],
    kernel_size: Sequence[int],
    dilation: Sequence[int],
    padding: Sequence[int],
    stride: Sequence[int],
) -> Value:
    """Images in which columns are added up as windows."""
    pad = per_axis(emitter, padding, 2, "padding")

    def call(value: Value) -> Value:
        return emitter.Col2Im(
            value,
            size_vector(emitter, output_size),
            per_axis(emitter, kernel_size, 2, "window"),
            dilations=per_axis(emitter, dilation, 2, "dilation"),
            pads=[*pad, *pad],
            strides=per_axis(emitter, stride, 2, "stride"),
        )

    return with_batch(emitter, data, 1, call)
