"""The same elements in another shape."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import (
    bits_as,
    broadcast_together,
    counted_size,
    dimension,
    least_size,
    normalize_axis,
    places_by_strides,
    rank_of,
    reshape,
    size_vector,
    with_added_axes,
)
from onnx_torchlib import Op, translator

__all__ = [
    "as_strided",
    "atleast_1d",
    "atleast_1d_sequence",
    "atleast_2d",
    "atleast_2d_sequence",
    "atleast_3d",
    "atleast_3d_sequence",
    "broadcast_tensors",
    "expand",
    "expand_as",
    "flatten",
    "reshape_alias",
    "reshape_as",
    "squeeze",
    "squeeze_dim",
    "squeeze_dims",
    "unflatten",
    "unsqueeze",
    "view",
    "view_dtype",
]


@translator("aten::view", "aten::reshape", "aten::_unsafe_view", "aten::view_copy", "aten::_reshape_copy")
def view(op: Op, self: Value, size: Sequence[SymInt]) -> Value:
    """view(Tensor(a) self, SymInt[] size) -> Tensor(a)"""
    return reshape(op, self, size)


@translator("aten::_reshape_alias")
def reshape_alias(op: Op, self: Value, size: Sequence[SymInt], stride: Sequence[SymInt]) -> Value:
    """_reshape_alias(Tensor(a) self, SymInt[] size, SymInt[] stride) -> Tensor(a)"""
    return reshape(op, self, size)


@translator("aten::view.dtype", "aten::view_copy.dtype")
def view_dtype(op: Op, self: Value, dtype: ir.DataType) -> Value:
    """view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)"""
    return bits_as(op, self, dtype)


@translator("aten::as_strided", "aten::as_strided_copy")
def as_strided(
    op: Op,
    self: Value,
    size: Sequence[SymInt],
    stride: Sequence[SymInt],
    storage_offset: SymInt | None = None,
) -> Value:
    """as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a)"""
    # Front ends see to it that the elements of ``self`` lie in memory in the order that an ONNX tensor has.
    places = places_by_strides(op, self, size, stride, storage_offset)
    return op.Gather(op.Reshape(self, [-1]), places, axis=0)


@translator("aten::atleast_1d")
def atleast_1d(op: Op, self: Value) -> Value:
    """atleast_1d(Tensor self) -> Tensor"""
    return with_added_axes(op, self, [[0]])


@translator("aten::atleast_2d")
def atleast_2d(op: Op, self: Value) -> Value:
    """atleast_2d(Tensor self) -> Tensor"""
    return with_added_axes(op, self, [[0, 1], [0]])


@translator("aten::atleast_3d")
def atleast_3d(op: Op, self: Value) -> Value:
    """atleast_3d(Tensor self) -> Tensor"""
    return with_added_axes(op, self, [[0, 1, 2], [0, 2], [2]])


@translator("aten::atleast_1d.Sequence")
def atleast_1d_sequence(op: Op, tensors: Sequence[Value]) -> Sequence[Value]:
    """atleast_1d.Sequence(Tensor[] tensors) -> Tensor[]"""
    return [atleast_1d(op, value) for value in tensors]


@translator("aten::atleast_2d.Sequence")
def atleast_2d_sequence(op: Op, tensors: Sequence[Value]) -> Sequence[Value]:
    """atleast_2d.Sequence(Tensor[] tensors) -> Tensor[]"""
    return [atleast_2d(op, value) for value in tensors]


@translator("aten::atleast_3d.Sequence")
def atleast_3d_sequence(op: Op, tensors: Sequence[Value]) -> Sequence[Value]:
    """atleast_3d.Sequence(Tensor[] tensors) -> Tensor[]"""
    return [atleast_3d(op, value) for value in tensors]


@translator("aten::view_as", "aten::reshape_as")
def reshape_as(op: Op, self: Value, other: Value) -> Value:
    """view_as(Tensor(a) self, Tensor other) -> Tensor(a)"""
    return op.Reshape(self, op.Shape(other), allowzero=1)


@translator("aten::flatten.using_ints")
def flatten(op: Op, self: Value, start_dim: int = 0, end_dim: int = -1) -> Value:
    """flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)"""
    rank = rank_of(op, self)
    if rank == 0:
        return op.Reshape(self, [1])
    start, end = normalize_axis(start_dim, rank), normalize_axis(end_dim, rank)
    if start == end:
        return self
    if start == 0 and end == rank - 1:
        return op.Reshape(self, [-1])
    if start == 1 and end == rank - 1:
        return op.Flatten(self, axis=1)
    others = (axis for axis in range(rank) if not start <= axis <= end)
    if any(least_size(op, self, axis) < 1 for axis in others):
        # Next to a size of 0, a size of -1 could be anything.
        head, tail = op.Shape(self, start=0, end=start), op.Shape(self, start=end + 1)
        block = op.ReduceProd(op.Shape(self, start=start, end=end + 1), keepdims=1)
        return op.Reshape(self, op.Concat(head, block, tail, axis=0), allowzero=1)
    return _merged(op, self, start, end, rank)


def _merged(op: Op, value: Value, start: int, end: int, rank: int) -> Value:
    """Axes before the merged ones are copied (0) and the merged ones counted (-1), where no more is needed."""
    tail = list((value.shape or ())[end + 1 :])
    constants = [size for size in tail if isinstance(size, int)]
    if len(constants) == len(tail):
        return op.Reshape(value, [*[0] * start, -1, *constants])
    following = op.Shape(value, start=end + 1, end=rank)
    return op.Reshape(value, op.Concat(op.constant([*[0] * start, -1]), following, axis=0))


@translator("aten::unflatten.int")
def unflatten(op: Op, self: Value, dim: int, sizes: Sequence[SymInt]) -> Value:
    """unflatten.int(Tensor(a) self, int dim, SymInt[] sizes) -> Tensor(a)"""
    rank = rank_of(op, self)
    axis = normalize_axis(dim, rank)
    sizes = counted_size(op, dimension(op, self, axis), sizes)
    parts = [
        op.Shape(self, start=0, end=axis),
        size_vector(op, sizes),
        op.Shape(self, start=axis + 1, end=rank),
    ]
    kept = [part for part, count in zip(parts, (axis, len(sizes), rank - axis - 1), strict=True) if count]
    shape = kept[0] if len(kept) == 1 else op.Concat(*kept, axis=0)
    return op.Reshape(self, shape, allowzero=1)


@translator("aten::unsqueeze", "aten::unsqueeze_copy")
def unsqueeze(op: Op, self: Value, dim: int) -> Value:
    """unsqueeze(Tensor(a) self, int dim) -> Tensor(a)"""
    return op.Unsqueeze(self, [dim])


@translator("aten::squeeze", "aten::squeeze_copy")
def squeeze(op: Op, self: Value) -> Value:
    """squeeze(Tensor(a) self) -> Tensor(a)"""
    return _squeezed(op, self, range(rank_of(op, self)))


@translator("aten::squeeze.dim", "aten::squeeze_copy.dim")
def squeeze_dim(op: Op, self: Value, dim: int) -> Value:
    """squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)"""
    return _squeezed(op, self, [dim])


@translator("aten::squeeze.dims", "aten::squeeze_copy.dims")
def squeeze_dims(op: Op, self: Value, dim: Sequence[int]) -> Value:
    """squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)"""
    return _squeezed(op, self, dim)


def _squeezed(op: Op, value: Value, dims: Sequence[int]) -> Value:
    """``value`` without those of ``dims`` whose size is 1.

    A size that varies counts as larger if the captured program has the rank that follows from that.
    """
    rank = rank_of(op, value)
    shape: Sequence[int | ir.SymbolicDim] = tuple(value.shape or ())
    chosen = sorted({normalize_axis(dim, rank) for dim in dims}) if rank else []
    axes = [axis for axis in chosen if shape[axis] == 1]
    expected = op.expected_shape()
    varies = any(not isinstance(shape[axis], int) for axis in chosen)
    if varies and (expected is None or len(expected) != rank - len(axes)):
        op.refuse(
            "the rank of its result depends on a size that varies: name a dimension of size 1 to squeeze"
        )
    return op.Squeeze(value, axes) if axes else value


@translator("aten::expand", "aten::broadcast_to", "aten::expand_copy")
def expand(op: Op, self: Value, size: Sequence[SymInt], implicit: bool = False) -> Value:
    """expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)"""
    # -1 keeps the input's size, and so does 1, since Expand broadcasts both ways.
    return op.Expand(
        self, size_vector(op, [1 if isinstance(item, int) and item == -1 else item for item in size])
    )


@translator("aten::broadcast_tensors")
def broadcast_tensors(op: Op, tensors: Sequence[Value]) -> Sequence[Value]:
    """broadcast_tensors(Tensor[] tensors) -> Tensor[]"""
    return broadcast_together(op, tensors)


@translator("aten::expand_as")
def expand_as(op: Op, self: Value, other: Value) -> Value:
    """expand_as(Tensor(a) self, Tensor other) -> Tensor(a)"""
    return op.Expand(self, op.Shape(other))
