"""A tensor with a slice, a member or a diagonal of it replaced: what a write through a view becomes."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import (
    diagonal_first,
    diagonal_places,
    dimension,
    dtype_of,
    normalize_axis,
    places_by_strides,
    rank_of,
    size_vector,
    transposed,
)
from onnx_torchlib import Op, translator

__all__ = ["as_strided_scatter", "diagonal_scatter", "select_scatter", "slice_scatter"]

_END = 2**63 - 1


@translator("aten::slice_scatter")
def slice_scatter(
    op: Op,
    self: Value,
    src: Value,
    dim: int = 0,
    start: SymInt | None = None,
    end: SymInt | None = None,
    step: SymInt = 1,
) -> Value:
    """slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor"""
    axis = normalize_axis(dim, rank_of(op, self))
    first: SymInt = 0 if start is None else start
    last: SymInt = _END if end is None else end
    piece = op.cast(src, dtype_of(op, self))
    if not isinstance(step, int) or step != 1:
        return _scattered(op, self, piece, axis, _clamped(op, first, dimension(op, self, axis)), step)
    return _between(op, self, piece, axis, first, _behind(op, self, piece, axis, first, last))


def _behind(op: Op, self: Value, piece: Value, axis: int, first: SymInt, last: SymInt) -> SymInt:
    """Where what ``piece`` leaves untouched begins again.

    That is ``last``, unless it may lie before ``first``: then nothing is replaced, and nothing may be lost.
    """
    if isinstance(last, int) and last == _END:
        return last
    if isinstance(first, int) and isinstance(last, int) and first <= last and (first < 0) == (last < 0):
        return last
    begin = _clamped(op, first, dimension(op, self, axis))
    return _sum(op, begin, dimension(op, piece, axis))


def _clamped(op: Op, start: SymInt, size: SymInt) -> SymInt:
    """``start`` counted from the front and held inside the axis."""
    if isinstance(start, int):
        if start == 0:
            return 0
        if isinstance(size, int):
            return min(max(start + size if start < 0 else start, 0), size)
        return op.Min(start, size) if start > 0 else op.Max(op.Add(size, start), 0)
    front = op.Where(op.Less(start, 0), op.Add(start, size), start)
    return op.Min(op.Max(front, 0), size)


def _sum(op: Op, left: SymInt, right: SymInt) -> SymInt:
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    return op.Add(left, right)


def _between(op: Op, self: Value, piece: Value, axis: int, first: SymInt, behind: SymInt) -> Value:
    """``piece`` between what lies before ``first`` and what lies from ``behind`` on."""
    parts = [piece]
    if not isinstance(first, int) or first != 0:
        parts.insert(0, op.Slice(self, [0], size_vector(op, [first]), [axis]))
    size = dimension(op, self, axis) if isinstance(behind, int) and behind != _END else _END
    if not (isinstance(behind, int) and isinstance(size, int) and behind >= size):
        parts.append(op.Slice(self, size_vector(op, [behind]), [_END], [axis]))
    return parts[0] if len(parts) == 1 else op.Concat(*parts, axis=axis)


def _scattered(op: Op, self: Value, piece: Value, axis: int, begin: SymInt, step: SymInt) -> Value:
    """``piece`` at every ``step``-th place from ``begin`` on."""
    count = dimension(op, piece, axis)
    places = op.Add(op.Mul(op.Range(0, count, 1), step), begin)
    trailing = list(range(1, rank_of(op, self) - axis))
    column = op.Unsqueeze(places, trailing) if trailing else places
    return op.ScatterElements(self, op.Expand(column, op.Shape(piece)), piece, axis=axis)


@translator("aten::as_strided_scatter")
def as_strided_scatter(
    op: Op,
    self: Value,
    src: Value,
    size: Sequence[SymInt],
    stride: Sequence[SymInt],
    storage_offset: SymInt | None = None,
) -> Value:
    """as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor"""
    places = places_by_strides(op, self, size, stride, storage_offset)
    elements = op.Reshape(op.cast(src, dtype_of(op, self)), [-1])
    written = op.ScatterElements(op.Reshape(self, [-1]), op.Reshape(places, [-1]), elements, axis=0)
    return op.Reshape(written, op.Shape(self), allowzero=1)


@translator("aten::select_scatter")
def select_scatter(op: Op, self: Value, src: Value, dim: int, index: SymInt) -> Value:
    """select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor"""
    axis = normalize_axis(dim, rank_of(op, self))
    piece = op.Unsqueeze(op.cast(src, dtype_of(op, self)), [axis])
    if isinstance(index, int):
        return _between(op, self, piece, axis, index, _END if index == -1 else index + 1)
    place = _clamped(op, index, dimension(op, self, axis))
    return _between(op, self, piece, axis, place, _sum(op, place, 1))


@translator("aten::diagonal_scatter")
def diagonal_scatter(op: Op, self: Value, src: Value, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Value:
    """diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor"""
    rank = rank_of(op, self)
    order = diagonal_first(rank, dim1, dim2)
    matrices = transposed(op, self, order)
    pieces = transposed(op, op.cast(src, dtype_of(op, self)), [rank - 2, *range(rank - 2)])
    written = op.ScatterND(matrices, diagonal_places(op, matrices, offset), pieces)
    return transposed(op, written, [order.index(axis) for axis in range(rank)])
