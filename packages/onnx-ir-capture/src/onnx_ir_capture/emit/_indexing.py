"""Members of a tensor at indices that are tensors."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._shapes import normalize_axis, rank_of
from onnx_ir_capture.emit._slicing import transposed

__all__ = ["MASKS", "gathered", "indexed", "indexed_axes", "same_shape", "side_by_side"]

MASKS = (ir.DataType.BOOL, ir.DataType.UINT8)
"""The dtypes of masks among indices; bytes are deprecated in torch."""


def indexed(emitter: Emitter, value: Value, indices: Sequence[Value | None]) -> Value:
    """The members of ``value`` at ``indices``, one for each of its first axes; None takes an axis whole."""
    present = [i for i in indices if i is not None]
    if not present:
        return value
    if len(present) == 1 and present[0].dtype in MASKS:
        return _masked(emitter, value, present[0], indices.index(present[0]))
    axes, positions = indexed_axes(emitter, indices)
    if len(axes) == 1:
        return emitter.Gather(value, positions[0], axis=axes[0])
    width = max(rank_of(emitter, i) for i in positions)
    return _gathered(emitter, value, axes, side_by_side(emitter, positions), width)


def _masked(emitter: Emitter, value: Value, mask: Value, axis: int) -> Value:
    """The members of one mask, which covers the axes from ``axis`` on."""
    rank = _mask_rank(emitter, mask)
    truth = emitter.cast(mask, ir.DataType.BOOL)
    if rank == 1:
        return emitter.Compress(value, truth, axis=axis)
    places = emitter.Transpose(emitter.NonZero(truth), perm=[1, 0])
    return _gathered(emitter, value, list(range(axis, axis + rank)), places, 1)


def _mask_rank(emitter: Emitter, mask: Value) -> int:
    rank = rank_of(emitter, mask)
    if rank == 0:
        emitter.refuse("a mask without dimensions selects all or nothing, which changes the number of axes")
    return rank


def indexed_axes(emitter: Emitter, indices: Sequence[Value | None]) -> tuple[list[int], list[Value]]:
    """The indexed axes and their INT64 indices; a mask stands for the places where it is true."""
    axes: list[int] = []
    positions: list[Value] = []
    axis = 0
    for given in indices:
        if given is None:
            axis += 1
            continue
        found = _places(emitter, given) if given.dtype in MASKS else [emitter.cast(given, ir.DataType.INT64)]
        axes += range(axis, axis + len(found))
        positions += found
        axis += len(found)
    return axes, positions


def _places(emitter: Emitter, mask: Value) -> list[Value]:
    """For each axis of ``mask``, where along it the true elements are."""
    rank = _mask_rank(emitter, mask)
    found = emitter.NonZero(emitter.cast(mask, ir.DataType.BOOL))
    return [emitter.Gather(found, emitter.constant(axis), axis=0) for axis in range(rank)]


def side_by_side(emitter: Emitter, positions: Sequence[Value]) -> Value:
    """The indices of several axes, broadcast to each other, side by side on a last axis."""
    columns = [emitter.Unsqueeze(i, [-1]) for i in _broadcast(emitter, positions)]
    return columns[0] if len(columns) == 1 else emitter.Concat(*columns, axis=-1)


def _broadcast(emitter: Emitter, values: Sequence[Value]) -> list[Value]:
    if all(same_shape(value, values[0]) for value in values):
        return list(values)
    # Expand broadcasts both ways, so this is the shape of all of them together.
    full = values[0]
    for value in values[1:]:
        full = emitter.Expand(full, emitter.Shape(value))
    shape = emitter.Shape(full)
    return [full, *(emitter.Expand(value, shape) for value in values[1:])]


def same_shape(left: Value, right: Value) -> bool:
    """Whether the program says that the shapes are the same; two unnamed dimensions may differ."""
    if left.shape is None or right.shape is None or len(left.shape) != len(right.shape):
        return False
    pairs = zip(left.shape, right.shape, strict=True)
    return all(a == b and (isinstance(a, int) or a.value is not None) for a, b in pairs)


def _gathered(emitter: Emitter, value: Value, axes: Sequence[int], places: Value, width: int) -> Value:
    """The elements at ``places``, whose last axis holds one index for each of ``axes``.

    The ``width`` axes of the result that come from the indices stand where a single block of indexed axes
    stood, and in front where they were apart.
    """
    rank = rank_of(emitter, value)
    rest = [axis for axis in range(rank) if axis not in axes]
    found = emitter.GatherND(transposed(emitter, value, [*axes, *rest]), places)
    block = list(range(axes[0], axes[0] + len(axes)))
    if list(axes) != block:
        return found
    before = range(width, width + axes[0])
    after = range(width + axes[0], width + len(rest))
    return transposed(emitter, found, [*before, *range(width), *after])


def gathered(emitter: Emitter, value: Value, axis: int, index: Value) -> Value:
    """For each element of ``index`` the element of ``value`` in its line along ``axis``."""
    if rank_of(emitter, index) == 0:
        line = emitter.GatherElements(emitter.Reshape(value, [-1]), emitter.Reshape(index, [1]), axis=0)
        return emitter.Reshape(line, emitter.constant([]))
    source = emitter.Reshape(value, [1]) if rank_of(emitter, value) == 0 else value
    return emitter.GatherElements(source, index, axis=normalize_axis(axis, rank_of(emitter, source)))
