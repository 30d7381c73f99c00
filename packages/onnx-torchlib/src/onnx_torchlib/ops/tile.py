"""Repetitions of a tensor, and grids of several."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import onnx_ir as ir

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import dimension, dtype_of, normalize_axis, promote, rank_of, size_vector
from onnx_torchlib import Op, translator

__all__ = [
    "cartesian_prod",
    "meshgrid",
    "meshgrid_indexing",
    "repeat",
    "repeat_interleave",
    "repeat_interleave_int",
    "repeat_interleave_tensor",
    "tile",
]


@translator("aten::repeat")
def repeat(op: Op, self: Value, repeats: Sequence[SymInt]) -> Value:
    """repeat(Tensor self, SymInt[] repeats) -> Tensor"""
    added = len(repeats) - rank_of(op, self)
    if not repeats:
        return self
    value = op.Unsqueeze(self, list(range(added))) if added else self
    return op.Tile(value, size_vector(op, repeats))


@translator("aten::tile")
def tile(op: Op, self: Value, dims: Sequence[SymInt]) -> Value:
    """tile(Tensor self, SymInt[] dims) -> Tensor"""
    missing = max(rank_of(op, self) - len(dims), 0)
    return repeat(op, self, [*[1] * missing, *dims])


@translator("aten::repeat_interleave.self_int")
def repeat_interleave_int(
    op: Op, self: Value, repeats: SymInt, dim: int | None = None, output_size: SymInt | None = None
) -> Value:
    """repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, SymInt? output_size=None) -> Tensor"""
    value, axis = _axis_or_line(op, self, dim)
    size = dimension(op, value, axis)
    if isinstance(size, int) and isinstance(repeats, int):
        return op.Gather(value, op.constant(np.repeat(np.arange(size), repeats)), axis=axis)
    # Place j of the result shows element j // repeats.
    places = op.Div(op.Range(0, op.Mul(_value(op, size), repeats), 1), repeats)
    return op.Gather(value, places, axis=axis)


def _value(op: Op, number: SymInt) -> Value:
    return op.constant(number) if isinstance(number, int) else number


def _axis_or_line(op: Op, value: Value, dim: int | None) -> tuple[Value, int]:
    """``value`` and the axis to repeat along; all elements in one line where none is named."""
    rank = rank_of(op, value)
    if dim is None or rank == 0:
        return (value if rank == 1 else op.Reshape(value, [-1])), 0
    return value, normalize_axis(dim, rank)


@translator("aten::repeat_interleave.self_Tensor")
def repeat_interleave_tensor(
    op: Op, self: Value, repeats: Value, dim: int | None = None, output_size: SymInt | None = None
) -> Value:
    """repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, SymInt? output_size=None) -> Tensor"""
    value, axis = _axis_or_line(op, self, dim)
    counts = op.Expand(repeats, size_vector(op, [dimension(op, value, axis)]))
    return op.Gather(value, repeat_interleave(op, counts), axis=axis)


@translator("aten::repeat_interleave.Tensor")
def repeat_interleave(op: Op, repeats: Value, output_size: SymInt | None = None) -> Value:
    """repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor"""
    counts = op.cast(repeats, ir.DataType.INT64)
    # Element i ends where the counts up to it add up to. Place j holds as many as have ended up to there.
    ends = op.CumSum(counts, op.constant(0))
    total = op.ReduceSum(counts, [0], keepdims=1)
    none = op.Expand(op.constant(0), op.Add(total, 1))
    ended = op.ScatterElements(none, ends, op.Expand(op.constant(1), op.Shape(ends)), axis=0, reduction="add")
    places = op.Slice(op.CumSum(ended, op.constant(0)), [0], total, [0])
    return op.cast(places, dtype_of(op, repeats))


@translator("aten::meshgrid")
def meshgrid(op: Op, tensors: Sequence[Value]) -> Sequence[Value]:
    """meshgrid(Tensor[] tensors) -> Tensor[]"""
    count = len(tensors)
    shape = size_vector(op, [_length(op, value) for value in tensors])
    return [
        op.Expand(op.Reshape(value, [-1, *[1] * (count - 1 - axis)]), shape)
        for axis, value in enumerate(tensors)
    ]


def _length(op: Op, value: Value) -> SymInt:
    return dimension(op, value, 0) if rank_of(op, value) else 1


@translator("aten::meshgrid.indexing")
def meshgrid_indexing(op: Op, tensors: Sequence[Value], indexing: str) -> Sequence[Value]:
    """meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]"""
    if indexing == "ij" or len(tensors) < 2:
        return meshgrid(op, tensors)
    first, second, *rest = tensors
    swapped = [1, 0, *range(2, len(tensors))]
    grids = meshgrid(op, [second, first, *rest])
    return [grids[place] for place in swapped]


@translator("aten::cartesian_prod")
def cartesian_prod(op: Op, tensors: Sequence[Value]) -> Value:
    """cartesian_prod(Tensor[] tensors) -> Tensor"""
    if len(tensors) == 1:
        return tensors[0]
    columns = [op.Reshape(grid, [-1, 1]) for grid in meshgrid(op, promote(op, *tensors))]
    return op.Concat(*columns, axis=1)
