"""Writing at places that index tensors name."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit._dtypes import HALVES, dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._indexing import MASKS, indexed_axes, same_shape, side_by_side
from onnx_ir_capture.emit._shapes import normalize_axis, rank_of
from onnx_ir_capture.emit._slicing import transposed

__all__ = ["filled_where", "put_along", "put_at"]


def put_at(
    emitter: Emitter, value: Value, indices: Sequence[Value | None], values: Value, accumulate: bool
) -> Value:
    """``value`` with ``values`` at ``indices``, one for each of its first axes; None takes an axis whole."""
    present = [i for i in indices if i is not None]
    if not present:
        emitter.refuse("no axis has an index")
    if len(present) == 1 and present[0].dtype in MASKS:
        chosen = _put_by_mask(emitter, value, present[0], indices.index(present[0]), values, accumulate)
        if chosen is not None:
            return chosen
    axes, positions = indexed_axes(emitter, indices)
    places = side_by_side(emitter, positions)
    updates = _updates(emitter, value, axes, places, values)
    return _written(emitter, value, axes, places, updates, add=accumulate)


def _put_by_mask(
    emitter: Emitter, data: Value, mask: Value, axis: int, values: Value, accumulate: bool
) -> Value | None:
    """A choice by the mask, where no element of ``values`` belongs to one true place alone; else None."""
    width = rank_of(emitter, mask)
    after = rank_of(emitter, data) - axis - width
    count_axis = rank_of(emitter, values) - 1 - after
    aligned = values
    if count_axis >= 0:
        if values.shape is None or values.shape[count_axis] != 1:
            return None
        ones = list(range(count_axis, count_axis + width - 1))
        aligned = emitter.Unsqueeze(values, ones) if ones else values
    truth = emitter.cast(mask, ir.DataType.BOOL)
    if after:
        truth = emitter.Unsqueeze(truth, [*range(width, width + after)])
    return emitter.Where(truth, _plus(emitter, data, aligned) if accumulate else aligned, data)


def _plus(emitter: Emitter, left: Value, right: Value) -> Value:
    return emitter.Or(left, right) if left.dtype == ir.DataType.BOOL else emitter.Add(left, right)


def _updates(emitter: Emitter, data: Value, axes: Sequence[int], places: Value, values: Value) -> Value:
    """``values`` in the shape of the indexed members, the axes of the indices in front.

    They broadcast to what indexing gives, where those axes stand in place of a single block of indexed axes.
    """
    width = rank_of(emitter, places) - 1
    rest = [axis for axis in range(rank_of(emitter, data)) if axis not in axes]
    block = list(axes) == list(range(axes[0], axes[0] + len(axes)))
    front = axes[0] if block else 0
    sizes = [
        *_sizes(emitter, data, rest[:front]),
        emitter.Shape(places, end=-1),
        *_sizes(emitter, data, rest[front:]),
    ]
    full = emitter.Expand(values, sizes[0] if len(sizes) == 1 else emitter.Concat(*sizes, axis=0))
    total = width + len(rest)
    return transposed(
        emitter, full, [*range(front, front + width), *range(front), *range(front + width, total)]
    )


def _sizes(emitter: Emitter, value: Value, axes: Sequence[int]) -> list[Value]:
    """The sizes along ``axes`` as one INT64 vector, in a list that is empty where there is no axis."""
    if not axes:
        return []
    if list(axes) == list(range(axes[0], axes[-1] + 1)):
        return [emitter.Shape(value, start=axes[0], end=axes[-1] + 1)]
    return [emitter.Gather(emitter.Shape(value), emitter.constant(list(axes)), axis=0)]


def _written(
    emitter: Emitter, data: Value, axes: Sequence[int], places: Value, updates: Value, *, add: bool = False
) -> Value:
    """``data`` with ``updates`` at ``places``, which hold one index for each of ``axes``."""
    rank = rank_of(emitter, data)
    order = [*axes, *(axis for axis in range(rank) if axis not in axes)]
    data = transposed(emitter, data, order)
    written = _added(emitter, data, places, updates) if add else emitter.ScatterND(data, places, updates)
    return transposed(emitter, written, [order.index(axis) for axis in range(rank)])


def _added(emitter: Emitter, data: Value, places: Value, updates: Value) -> Value:
    """``data`` with ``updates`` added to the members of its first axes that ``places`` name.

    ScatterND says the same in one node, but ONNX Runtime adds to one place from several threads at a time
    and loses some of what was to be added.
    """
    dtype = dtype_of(emitter, data)
    if dtype == ir.DataType.BOOL or dtype in HALVES:
        # Torch's sum of bools is true where one of them is; ONNX Runtime does not add halves.
        wide = ir.DataType.FLOAT if dtype in HALVES else ir.DataType.INT32
        return emitter.cast(
            _added(emitter, emitter.cast(data, wide), places, emitter.cast(updates, wide)), dtype
        )
    count = tuple(places.shape or ())[-1]
    if not isinstance(count, int):
        emitter.refuse("the number of indexed axes is unknown")
    line = emitter.Reshape(_linear(emitter, data, places, count), [-1])
    rest = rank_of(emitter, data) - count
    members = emitter.Shape(data, start=count) if rest else emitter.constant([])
    rows = data
    if count > 1:
        number = emitter.ReduceProd(emitter.Shape(data, end=count), [0], keepdims=1)
        rows = emitter.Reshape(data, emitter.Concat(number, members, axis=0), allowzero=1)
    values = emitter.Reshape(updates, emitter.Concat(emitter.Shape(line), members, axis=0), allowzero=1)
    spread = (
        emitter.Expand(emitter.Unsqueeze(line, list(range(1, rest + 1))), emitter.Shape(values))
        if rest
        else line
    )
    total = emitter.ScatterElements(rows, spread, values, axis=0, reduction="add")
    return emitter.Reshape(total, emitter.Shape(data), allowzero=1) if count > 1 else total


def _linear(emitter: Emitter, data: Value, places: Value, count: int) -> Value:
    """The indices of the first ``count`` axes as indices of these axes flattened into one."""
    if count == 1:
        return places
    sizes = emitter.Shape(data, end=count)
    front = emitter.Where(emitter.Less(places, 0), emitter.Add(places, sizes), places)
    strides = [
        emitter.ReduceProd(emitter.Slice(sizes, [k + 1], [count], [0]), [0], keepdims=1)
        for k in range(count - 1)
    ]
    weights = emitter.Concat(*strides, emitter.constant([1]), axis=0)
    return emitter.ReduceSum(emitter.Mul(front, weights), [-1], keepdims=0)


def put_along(
    emitter: Emitter,
    data: Value,
    dim: int,
    index: Value,
    source: Value,
    *,
    add: bool = False,
    spread: bool = False,
) -> Value:
    """``source`` written at the indices of one axis; a number that is to be ``spread``, at every place."""
    if rank_of(emitter, data) == 0:
        line = put_along(emitter, emitter.Reshape(data, [1]), 0, index, source, add=add, spread=spread)
        return emitter.Reshape(line, emitter.constant([]))
    axis = normalize_axis(dim, rank_of(emitter, data))
    places = emitter.Reshape(emitter.cast(index, ir.DataType.INT64), [-1, 1])
    if spread:
        updates = _updates(emitter, data, [axis], places, source)
    else:
        # A 0-d source stands for one member.
        members = source if rank_of(emitter, source) else emitter.Reshape(source, [1])
        rest = [other for other in range(rank_of(emitter, data)) if other != axis]
        updates = transposed(emitter, members, [axis, *rest])
    return _written(emitter, data, [axis], places, updates, add=add)


def filled_where(emitter: Emitter, value: Value, mask: Value, source: Value) -> Value:
    """``value`` with the first elements of ``source`` where ``mask`` is true, one after the other."""
    if rank_of(emitter, value) == 0 and rank_of(emitter, mask) == 0:
        line = filled_where(emitter, emitter.Reshape(value, [1]), emitter.Reshape(mask, [1]), source)
        return emitter.Reshape(line, emitter.constant([]))
    data, truth = value, emitter.cast(mask, ir.DataType.BOOL)
    if not same_shape(value, mask):
        data, truth = emitter.Expand(value, emitter.Shape(mask)), emitter.Expand(truth, emitter.Shape(value))
    places = emitter.Transpose(emitter.NonZero(truth), perm=[1, 0])
    count = emitter.Shape(places, start=0, end=1)
    return emitter.ScatterND(data, places, emitter.Slice(emitter.Reshape(source, [-1]), [0], count, [0]))
