"""Writing at places that index tensors name."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit import (
    HALVES,
    MASKS,
    as_tensor,
    dtype_of,
    indexed_axes,
    normalize_axis,
    promote,
    rank_of,
    same_shape,
    side_by_side,
    transposed,
)
from onnx_torchlib import Op, translator

__all__ = ["index_add", "index_copy", "index_fill", "index_fill_tensor", "index_put", "masked_scatter", "put"]


@translator("aten::index_put", "aten::_unsafe_index_put")
def index_put(
    op: Op, self: Value, indices: Sequence[Value | None], values: Value, accumulate: bool = False
) -> Value:
    """index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor"""
    present = [i for i in indices if i is not None]
    if not present:
        op.refuse("no axis has an index")
    if len(present) == 1 and present[0].dtype in MASKS:
        chosen = _put_by_mask(op, self, present[0], indices.index(present[0]), values, accumulate)
        if chosen is not None:
            return chosen
    axes, positions = indexed_axes(op, indices)
    places = side_by_side(op, positions)
    updates = _updates(op, self, axes, places, values)
    return _written(op, self, axes, places, updates, add=accumulate)


def _put_by_mask(
    op: Op, self: Value, mask: Value, axis: int, values: Value, accumulate: bool
) -> Value | None:
    """A choice by the mask, where no element of ``values`` belongs to one true place alone; else None."""
    width = rank_of(op, mask)
    after = rank_of(op, self) - axis - width
    count_axis = rank_of(op, values) - 1 - after
    aligned = values
    if count_axis >= 0:
        if values.shape is None or values.shape[count_axis] != 1:
            return None
        ones = list(range(count_axis, count_axis + width - 1))
        aligned = op.Unsqueeze(values, ones) if ones else values
    truth = op.cast(mask, ir.DataType.BOOL)
    if after:
        truth = op.Unsqueeze(truth, [*range(width, width + after)])
    return op.Where(truth, _plus(op, self, aligned) if accumulate else aligned, self)


def _plus(op: Op, left: Value, right: Value) -> Value:
    return op.Or(left, right) if left.dtype == ir.DataType.BOOL else op.Add(left, right)


def _updates(op: Op, self: Value, axes: Sequence[int], places: Value, values: Value) -> Value:
    """``values`` in the shape of the indexed members, the axes of the indices in front.

    They broadcast to what indexing gives, where those axes stand in place of a single block of indexed axes.
    """
    width = rank_of(op, places) - 1
    rest = [axis for axis in range(rank_of(op, self)) if axis not in axes]
    block = list(axes) == list(range(axes[0], axes[0] + len(axes)))
    front = axes[0] if block else 0
    sizes = [*_sizes(op, self, rest[:front]), op.Shape(places, end=-1), *_sizes(op, self, rest[front:])]
    full = op.Expand(values, sizes[0] if len(sizes) == 1 else op.Concat(*sizes, axis=0))
    total = width + len(rest)
    return transposed(op, full, [*range(front, front + width), *range(front), *range(front + width, total)])


def _sizes(op: Op, value: Value, axes: Sequence[int]) -> list[Value]:
    """The sizes along ``axes`` as one INT64 vector, in a list that is empty where there is no axis."""
    if not axes:
        return []
    if list(axes) == list(range(axes[0], axes[-1] + 1)):
        return [op.Shape(value, start=axes[0], end=axes[-1] + 1)]
    return [op.Gather(op.Shape(value), op.constant(list(axes)), axis=0)]


def _written(
    op: Op, self: Value, axes: Sequence[int], places: Value, updates: Value, *, add: bool = False
) -> Value:
    """``self`` with ``updates`` at ``places``, which hold one index for each of ``axes``."""
    rank = rank_of(op, self)
    order = [*axes, *(axis for axis in range(rank) if axis not in axes)]
    data = transposed(op, self, order)
    written = _added(op, data, places, updates) if add else op.ScatterND(data, places, updates)
    return transposed(op, written, [order.index(axis) for axis in range(rank)])


def _added(op: Op, data: Value, places: Value, updates: Value) -> Value:
    """``data`` with ``updates`` added to the members of its first axes that ``places`` name.

    ScatterND says the same in one node, but ONNX Runtime adds to one place from several threads at a time
    and loses some of what was to be added.
    """
    dtype = dtype_of(op, data)
    if dtype == ir.DataType.BOOL or dtype in HALVES:
        # Torch's sum of bools is true where one of them is; ONNX Runtime does not add halves.
        wide = ir.DataType.FLOAT if dtype in HALVES else ir.DataType.INT32
        return op.cast(_added(op, op.cast(data, wide), places, op.cast(updates, wide)), dtype)
    count = tuple(places.shape or ())[-1]
    if not isinstance(count, int):
        op.refuse("the number of indexed axes is unknown")
    line = op.Reshape(_linear(op, data, places, count), [-1])
    rest = rank_of(op, data) - count
    members = op.Shape(data, start=count) if rest else op.constant([])
    rows = data
    if count > 1:
        number = op.ReduceProd(op.Shape(data, end=count), [0], keepdims=1)
        rows = op.Reshape(data, op.Concat(number, members, axis=0), allowzero=1)
    values = op.Reshape(updates, op.Concat(op.Shape(line), members, axis=0), allowzero=1)
    spread = op.Expand(op.Unsqueeze(line, list(range(1, rest + 1))), op.Shape(values)) if rest else line
    total = op.ScatterElements(rows, spread, values, axis=0, reduction="add")
    return op.Reshape(total, op.Shape(data), allowzero=1) if count > 1 else total


def _linear(op: Op, data: Value, places: Value, count: int) -> Value:
    """The indices of the first ``count`` axes as indices of these axes flattened into one."""
    if count == 1:
        return places
    sizes = op.Shape(data, end=count)
    front = op.Where(op.Less(places, 0), op.Add(places, sizes), places)
    strides = [
        op.ReduceProd(op.Slice(sizes, [k + 1], [count], [0]), [0], keepdims=1) for k in range(count - 1)
    ]
    weights = op.Concat(*strides, op.constant([1]), axis=0)
    return op.ReduceSum(op.Mul(front, weights), [-1], keepdims=0)


@translator("aten::index_add")
def index_add(op: Op, self: Value, dim: int, index: Value, source: Value, alpha: Scalar = 1) -> Value:
    """index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor"""
    scaled = source
    if isinstance(alpha, ir.Value) or alpha != 1:
        scaled = op.Mul(source, promote(op, alpha, dtype=source.dtype)[0])
    return _along(op, self, dim, index, scaled, add=True)


@translator("aten::index_copy")
def index_copy(op: Op, self: Value, dim: int, index: Value, source: Value) -> Value:
    """index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor"""
    return _along(op, self, dim, index, source)


@translator("aten::index_fill.int_Scalar")
def index_fill(op: Op, self: Value, dim: int, index: Value, value: Scalar) -> Value:
    """index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor"""
    return index_fill_tensor(op, self, dim, index, as_tensor(op, value, dtype_of(op, self)))


@translator("aten::index_fill.int_Tensor")
def index_fill_tensor(op: Op, self: Value, dim: int, index: Value, value: Value) -> Value:
    """index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor"""
    return _along(op, self, dim, index, op.cast(value, dtype_of(op, self)), spread=True)


def _along(
    op: Op, self: Value, dim: int, index: Value, source: Value, *, add: bool = False, spread: bool = False
) -> Value:
    """``source`` written at the indices of one axis; a number that is to be ``spread``, at every place."""
    if rank_of(op, self) == 0:
        line = _along(op, op.Reshape(self, [1]), 0, index, source, add=add, spread=spread)
        return op.Reshape(line, op.constant([]))
    axis = normalize_axis(dim, rank_of(op, self))
    places = op.Reshape(op.cast(index, ir.DataType.INT64), [-1, 1])
    if spread:
        updates = _updates(op, self, [axis], places, source)
    else:
        # A 0-d source stands for one member.
        members = source if rank_of(op, source) else op.Reshape(source, [1])
        rest = [other for other in range(rank_of(op, self)) if other != axis]
        updates = transposed(op, members, [axis, *rest])
    return _written(op, self, [axis], places, updates, add=add)


@translator("aten::masked_scatter")
def masked_scatter(op: Op, self: Value, mask: Value, source: Value) -> Value:
    """masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor"""
    if rank_of(op, self) == 0 and rank_of(op, mask) == 0:
        line = masked_scatter(op, op.Reshape(self, [1]), op.Reshape(mask, [1]), source)
        return op.Reshape(line, op.constant([]))
    data, truth = self, op.cast(mask, ir.DataType.BOOL)
    if not same_shape(self, mask):
        data, truth = op.Expand(self, op.Shape(mask)), op.Expand(truth, op.Shape(self))
    places = op.Transpose(op.NonZero(truth), perm=[1, 0])
    count = op.Shape(places, start=0, end=1)
    return op.ScatterND(data, places, op.Slice(op.Reshape(source, [-1]), [0], count, [0]))


@translator("aten::put")
def put(op: Op, self: Value, index: Value, source: Value, accumulate: bool = False) -> Value:
    """put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor"""
    line, places, values = (op.Reshape(value, [-1]) for value in (self, index, source))
    return op.Reshape(index_put(op, line, [places], values, accumulate), op.Shape(self), allowzero=1)
