"""Repetitions of a tensor and of its members, and grids of several."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import onnx_ir as ir

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit._dtypes import dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._shapes import dimension, normalize_axis, rank_of, size_vector

__all__ = ["each_repeated", "each_repeated_by", "grids", "repeated", "repeated_places"]


def repeated(emitter: Emitter, data: Value, repeats: Sequence[SymInt]) -> Value:
    """``data`` again and again along each axis; repeats for more axes than it has add axes in front."""
    added = len(repeats) - rank_of(emitter, data)
    if not repeats:
        return data
    value = emitter.Unsqueeze(data, list(range(added))) if added else data
    return emitter.Tile(value, size_vector(emitter, repeats))


def each_repeated(emitter: Emitter, data: Value, repeats: SymInt, dim: int | None) -> Value:
    """Each member of an axis, or each element of all in one line, ``repeats`` times in a row."""
    value, axis = _axis_or_line(emitter, data, dim)
    size = dimension(emitter, value, axis)
    if isinstance(size, int) and isinstance(repeats, int):
        return emitter.Gather(value, emitter.constant(np.repeat(np.arange(size), repeats)), axis=axis)
    # Place j of the result shows element j // repeats.
    places = emitter.Div(emitter.Range(0, emitter.Mul(size, repeats), 1), repeats)
    return emitter.Gather(value, places, axis=axis)


def _axis_or_line(emitter: Emitter, value: Value, dim: int | None) -> tuple[Value, int]:
    """``value`` and the axis to repeat along; all elements in one line where none is named."""
    rank = rank_of(emitter, value)
    if dim is None or rank == 0:
        return (value if rank == 1 else emitter.Reshape(value, [-1])), 0
    return value, normalize_axis(dim, rank)


def each_repeated_by(emitter: Emitter, data: Value, repeats: Value, dim: int | None) -> Value:
    """Each member of an axis, or each element of all in one line, as often as ``repeats`` says for it."""
    value, axis = _axis_or_line(emitter, data, dim)
    counts = emitter.Expand(repeats, size_vector(emitter, [dimension(emitter, value, axis)]))
    return emitter.Gather(value, repeated_places(emitter, counts), axis=axis)


def repeated_places(emitter: Emitter, repeats: Value) -> Value:
    """Each index of ``repeats`` as often as the number there says."""
    counts = emitter.cast(repeats, ir.DataType.INT64)
    # Element i ends where the counts up to it add up to. Place j holds as many as have ended up to there.
    ends = emitter.CumSum(counts, emitter.constant(0))
    total = emitter.ReduceSum(counts, [0], keepdims=1)
    none = emitter.Expand(emitter.constant(0), emitter.Add(total, 1))
    ended = emitter.ScatterElements(
        none, ends, emitter.Expand(emitter.constant(1), emitter.Shape(ends)), axis=0, reduction="add"
    )
    places = emitter.Slice(emitter.CumSum(ended, emitter.constant(0)), [0], total, [0])
    return emitter.cast(places, dtype_of(emitter, repeats))


def grids(emitter: Emitter, tensors: Sequence[Value]) -> Sequence[Value]:
    """The coordinates of the points of a grid, a tensor for each axis."""
    count = len(tensors)
    shape = size_vector(emitter, [_length(emitter, value) for value in tensors])
    return [
        emitter.Expand(emitter.Reshape(value, [-1, *[1] * (count - 1 - axis)]), shape)
        for axis, value in enumerate(tensors)
    ]


def _length(emitter: Emitter, value: Value) -> SymInt:
    return dimension(emitter, value, 0) if rank_of(emitter, value) else 1
