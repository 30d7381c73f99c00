"""Windows that slide along axes, taken apart and put together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import (
    as_tensor,
    dimension,
    dtype_of,
    normalize_axis,
    per_axis,
    rank_of,
    size_vector,
    with_batch,
)
from onnx_torchlib import Op, translator

__all__ = ["col2im", "im2col", "unfold"]


@translator("aten::unfold", "aten::unfold_copy")
def unfold(op: Op, self: Value, dimension: int, size: int, step: int) -> Value:
    """unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)"""
    if rank_of(op, self) == 0:
        return op.Expand(op.Reshape(self, [1]), [size])
    axis = normalize_axis(dimension, rank_of(op, self))
    windows = op.Gather(self, _elements(op, self, axis, size, step), axis=axis)
    # The windows stand in ``axis``, their elements behind it.
    rest = range(axis + 2, rank_of(op, self) + 1)
    return op.Transpose(windows, perm=[*range(axis + 1), *rest, axis + 1]) if rest else windows


def _elements(op: Op, value: Value, axis: int, size: int, step: int) -> Value:
    """One row of places for each window."""
    return _rows(op, _starts(op, dimension(op, value, axis), size, step), np.arange(size))


def _starts(op: Op, length: SymInt, reach: int, step: int) -> Value:
    """Where the windows that reach over ``reach`` elements begin."""
    if isinstance(length, int):
        return op.constant(np.arange(0, length - reach + 1, step))
    return op.Range(0, op.Sub(length, reach - 1), step)


def _rows(op: Op, starts: Value, members: np.ndarray) -> Value:
    return op.Add(op.Unsqueeze(starts, [1]), op.constant(members))


@translator("aten::im2col")
def im2col(
    op: Op,
    self: Value,
    kernel_size: Sequence[int],
    dilation: Sequence[int],
    padding: Sequence[int],
    stride: Sequence[int],
) -> Value:
    """im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) -> Tensor"""
    kernel, spread, steps = (per_axis(op, sizes, 2, "window") for sizes in (kernel_size, dilation, stride))
    pad = per_axis(op, padding, 2, "padding")

    def call(value: Value) -> Value:
        if any(pad):
            zero = as_tensor(op, 0, dtype_of(op, value))
            value = op.Pad(value, [0, 0, *pad, 0, 0, *pad], zero)
        patches = value
        for axis in (0, 1):
            reach = spread[axis] * (kernel[axis] - 1) + 1
            starts = _starts(op, dimension(op, value, axis + 2), reach, steps[axis])
            # The elements of a window in front, then the windows.
            members = op.constant(np.arange(kernel[axis]).reshape(-1, 1) * spread[axis])
            patches = op.Gather(patches, op.Add(members, starts), axis=2 + 2 * axis)
        columns = op.Transpose(patches, perm=[0, 1, 2, 4, 3, 5])
        return op.Reshape(columns, _column_shape(op, columns, kernel[0] * kernel[1]), allowzero=1)

    return with_batch(op, self, 2, call)


def _column_shape(op: Op, columns: Value, elements: int) -> Value:
    """Batch, the elements of a window in all channels, windows."""
    batch, channels = op.Shape(columns, end=1), op.Shape(columns, start=1, end=2)
    windows = op.ReduceProd(op.Shape(columns, start=4), keepdims=1)
    return op.Concat(batch, op.Mul(channels, elements), windows, axis=0)


@translator("aten::col2im")
def col2im(
    op: Op,
    self: Value,
    output_size: Sequence[SymInt],
    kernel_size: Sequence[int],
    dilation: Sequence[int],
    padding: Sequence[int],
    stride: Sequence[int],
) -> Value:
    """col2im(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) -> Tensor"""
    pad = per_axis(op, padding, 2, "padding")

    def call(value: Value) -> Value:
        return op.Col2Im(
            value,
            size_vector(op, output_size),
            per_axis(op, kernel_size, 2, "window"),
            dilations=per_axis(op, dilation, 2, "dilation"),
            pads=[*pad, *pad],
            strides=per_axis(op, stride, 2, "stride"),
        )

    return with_batch(op, self, 1, call)
