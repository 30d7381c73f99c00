"""Indexing with tensors."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import normalize_axis, rank_of, transposed
from onnx_torchlib import Op, translator

__all__ = ["MASKS", "index", "index_select", "indexed_axes", "masked_select", "same_shape", "stacked", "take"]

MASKS = (ir.DataType.BOOL, ir.DataType.UINT8)
"""The dtypes of masks among indices; bytes are deprecated in torch."""


@translator("aten::index.Tensor")
def index(op: Op, self: Value, indices: Sequence[Value | None]) -> Value:
    """index.Tensor(Tensor self, Tensor?[] indices) -> Tensor"""
    present = [i for i in indices if i is not None]
    if not present:
        return self
    if len(present) == 1 and present[0].dtype in MASKS:
        return _masked(op, self, present[0], indices.index(present[0]))
    axes, positions = indexed_axes(op, indices)
    if len(axes) == 1:
        return op.Gather(self, positions[0], axis=axes[0])
    width = max(rank_of(op, i) for i in positions)
    return _gathered(op, self, axes, stacked(op, positions), width)


def _masked(op: Op, self: Value, mask: Value, axis: int) -> Value:
    """The members of one mask, which covers the axes from ``axis`` on."""
    rank = _mask_rank(op, mask)
    truth = op.cast(mask, ir.DataType.BOOL)
    if rank == 1:
        return op.Compress(self, truth, axis=axis)
    places = op.Transpose(op.NonZero(truth), perm=[1, 0])
    return _gathered(op, self, list(range(axis, axis + rank)), places, 1)


def _mask_rank(op: Op, mask: Value) -> int:
    rank = rank_of(op, mask)
    if rank == 0:
        op.refuse("a mask without dimensions selects all or nothing, which changes the number of axes")
    return rank


def indexed_axes(op: Op, indices: Sequence[Value | None]) -> tuple[list[int], list[Value]]:
    """The indexed axes and their INT64 indices; a mask stands for the places where it is true."""
    axes: list[int] = []
    positions: list[Value] = []
    axis = 0
    for given in indices:
        if given is None:
            axis += 1
            continue
        found = _places(op, given) if given.dtype in MASKS else [op.cast(given, ir.DataType.INT64)]
        axes += range(axis, axis + len(found))
        positions += found
        axis += len(found)
    return axes, positions


def _places(op: Op, mask: Value) -> list[Value]:
    """For each axis of ``mask``, where along it the true elements are."""
    rank = _mask_rank(op, mask)
    found = op.NonZero(op.cast(mask, ir.DataType.BOOL))
    return [op.Gather(found, op.constant(axis), axis=0) for axis in range(rank)]


def stacked(op: Op, positions: Sequence[Value]) -> Value:
    """The indices of several axes, broadcast to each other, side by side on a last axis."""
    columns = [op.Unsqueeze(i, [-1]) for i in _broadcast(op, positions)]
    return columns[0] if len(columns) == 1 else op.Concat(*columns, axis=-1)


def _broadcast(op: Op, values: Sequence[Value]) -> list[Value]:
    if all(same_shape(value, values[0]) for value in values):
        return list(values)
    # Expand broadcasts both ways, so this is the shape of all of them together.
    full = values[0]
    for value in values[1:]:
        full = op.Expand(full, op.Shape(value))
    shape = op.Shape(full)
    return [full, *(op.Expand(value, shape) for value in values[1:])]


def same_shape(left: Value, right: Value) -> bool:
    """Whether the program says that the shapes are the same; two unnamed dimensions may differ."""
    if left.shape is None or right.shape is None or len(left.shape) != len(right.shape):
        return False
    pairs = zip(left.shape, right.shape, strict=True)
    return all(a == b and (isinstance(a, int) or a.value is not None) for a, b in pairs)


def _gathered(op: Op, self: Value, axes: Sequence[int], places: Value, width: int) -> Value:
    """The elements at ``places``, whose last axis holds one index for each of ``axes``.

    The ``width`` axes of the result that come from the indices stand where a single block of indexed axes
    stood, and in front where they were apart.
    """
    rank = rank_of(op, self)
    rest = [axis for axis in range(rank) if axis not in axes]
    found = op.GatherND(transposed(op, self, [*axes, *rest]), places)
    block = list(range(axes[0], axes[0] + len(axes)))
    if list(axes) != block:
        return found
    before = range(width, width + axes[0])
    after = range(width + axes[0], width + len(rest))
    return transposed(op, found, [*before, *range(width), *after])


@translator("aten::index_select")
def index_select(op: Op, self: Value, dim: int, index: Value) -> Value:
    """index_select(Tensor self, int dim, Tensor index) -> Tensor"""
    if rank_of(op, self) == 0:
        return op.Reshape(op.Gather(op.Reshape(self, [1]), index, axis=0), op.constant([]))
    places = index if rank_of(op, index) == 1 else op.Reshape(index, [1])
    return op.Gather(self, places, axis=normalize_axis(dim, rank_of(op, self)))


@translator("aten::take")
def take(op: Op, self: Value, index: Value) -> Value:
    """take(Tensor self, Tensor index) -> Tensor"""
    return op.Gather(op.Reshape(self, [-1]), index, axis=0)


@translator("aten::masked_select")
def masked_select(op: Op, self: Value, mask: Value) -> Value:
    """masked_select(Tensor self, Tensor mask) -> Tensor"""
    if same_shape(self, mask):
        return op.Compress(op.Reshape(self, [-1]), op.Reshape(mask, [-1]), axis=0)
    members, truth = op.Expand(self, op.Shape(mask)), op.Expand(mask, op.Shape(self))
    return op.Compress(op.Reshape(members, [-1]), op.Reshape(truth, [-1]), axis=0)
