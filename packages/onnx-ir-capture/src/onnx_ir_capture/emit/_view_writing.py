"""A tensor with a slice, a member or a diagonal of it replaced."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit._diagonals import diagonal_first, diagonal_places
from onnx_ir_capture.emit._dtypes import dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._shapes import dimension, normalize_axis, rank_of, size_vector
from onnx_ir_capture.emit._slicing import transposed
from onnx_ir_capture.emit._strides import places_by_strides

__all__ = ["with_diagonal", "with_member", "with_slice", "with_strided"]

_END = 2**63 - 1


def with_slice(
    emitter: Emitter,
    value: Value,
    src: Value,
    dim: int,
    start: SymInt | None,
    end: SymInt | None,
    step: SymInt,
) -> Value:
    """``value`` with a slice of it replaced."""
    axis = normalize_axis(dim, rank_of(emitter, value))
    first: SymInt = 0 if start is None else start
    last: SymInt = _END if end is None else end
    piece = emitter.cast(src, dtype_of(emitter, value))
    if not isinstance(step, int) or step != 1:
        return _scattered(
            emitter, value, piece, axis, _clamped(emitter, first, dimension(emitter, value, axis)), step
        )
    return _between(emitter, value, piece, axis, first, _behind(emitter, value, piece, axis, first, last))


def _behind(emitter: Emitter, value: Value, piece: Value, axis: int, first: SymInt, last: SymInt) -> SymInt:
    """Where what ``piece`` leaves untouched begins again.

    That is ``last``, unless it may lie before ``first``: then nothing is replaced, and nothing may be lost.
    """
    if isinstance(last, int) and last == _END:
        return last
    if isinstance(first, int) and isinstance(last, int) and first <= last and (first < 0) == (last < 0):
        return last
    begin = _clamped(emitter, first, dimension(emitter, value, axis))
    return _sum(emitter, begin, dimension(emitter, piece, axis))


def _clamped(emitter: Emitter, start: SymInt, size: SymInt) -> SymInt:
    """``start`` counted from the front and held inside the axis."""
    if isinstance(start, int):
        if start == 0:
            return 0
        if isinstance(size, int):
            return min(max(start + size if start < 0 else start, 0), size)
        return emitter.Min(start, size) if start > 0 else emitter.Max(emitter.Add(size, start), 0)
    front = emitter.Where(emitter.Less(start, 0), emitter.Add(start, size), start)
    return emitter.Min(emitter.Max(front, 0), size)


def _sum(emitter: Emitter, left: SymInt, right: SymInt) -> SymInt:
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    return emitter.Add(left, right)


def _between(emitter: Emitter, value: Value, piece: Value, axis: int, first: SymInt, behind: SymInt) -> Value:
    """``piece`` between what lies before ``first`` and what lies from ``behind`` on."""
    parts = [piece]
    if not isinstance(first, int) or first != 0:
        parts.insert(0, emitter.Slice(value, [0], size_vector(emitter, [first]), [axis]))
    size = dimension(emitter, value, axis) if isinstance(behind, int) and behind != _END else _END
    if not (isinstance(behind, int) and isinstance(size, int) and behind >= size):
        parts.append(emitter.Slice(value, size_vector(emitter, [behind]), [_END], [axis]))
    return parts[0] if len(parts) == 1 else emitter.Concat(*parts, axis=axis)


def _scattered(emitter: Emitter, value: Value, piece: Value, axis: int, begin: SymInt, step: SymInt) -> Value:
    """``piece`` at every ``step``-th place from ``begin`` on."""
    count = dimension(emitter, piece, axis)
    places = emitter.Add(emitter.Mul(emitter.Range(0, count, 1), step), begin)
    trailing = list(range(1, rank_of(emitter, value) - axis))
    column = emitter.Unsqueeze(places, trailing) if trailing else places
    return emitter.ScatterElements(value, emitter.Expand(column, emitter.Shape(piece)), piece, axis=axis)


def with_strided(
    emitter: Emitter,
    value: Value,
    src: Value,
    size: Sequence[SymInt],
    stride: Sequence[SymInt],
    storage_offset: SymInt | None,
) -> Value:
    """``value`` with elements replaced that strides name in its memory."""
    places = places_by_strides(emitter, value, size, stride, storage_offset)
    elements = emitter.Reshape(emitter.cast(src, dtype_of(emitter, value)), [-1])
    written = emitter.ScatterElements(
        emitter.Reshape(value, [-1]), emitter.Reshape(places, [-1]), elements, axis=0
    )
    return emitter.Reshape(written, emitter.Shape(value), allowzero=1)


def with_member(emitter: Emitter, value: Value, src: Value, dim: int, index: SymInt) -> Value:
    """``value`` with one member along ``dim`` replaced."""
    axis = normalize_axis(dim, rank_of(emitter, value))
    piece = emitter.Unsqueeze(emitter.cast(src, dtype_of(emitter, value)), [axis])
    if isinstance(index, int):
        return _between(emitter, value, piece, axis, index, _END if index == -1 else index + 1)
    place = _clamped(emitter, index, dimension(emitter, value, axis))
    return _between(emitter, value, piece, axis, place, _sum(emitter, place, 1))


def with_diagonal(emitter: Emitter, value: Value, src: Value, offset: int, dim1: int, dim2: int) -> Value:
    """``value`` with a diagonal of it replaced."""
    rank = rank_of(emitter, value)
    order = diagonal_first(rank, dim1, dim2)
    matrices = transposed(emitter, value, order)
    pieces = transposed(emitter, emitter.cast(src, dtype_of(emitter, value)), [rank - 2, *range(rank - 2)])
    written = emitter.ScatterND(matrices, diagonal_places(emitter, matrices, offset), pieces)
    return transposed(emitter, written, [order.index(axis) for axis in range(rank)])
