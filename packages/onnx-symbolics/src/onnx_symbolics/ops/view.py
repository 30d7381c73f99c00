"""The same elements in another shape."""

from __future__ import annotations

import math
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
from onnx_symbolics import SymbolicContext, symbolic

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
    "ravel",
    "reshape_alias",
    "squeeze",
    "squeeze_dim",
    "squeeze_dims",
    "unflatten",
    "unsqueeze",
    "view",
    "view_as_9",
    "view_as_14",
    "view_dtype",
]


@symbolic("aten::view", "aten::reshape", "aten::_unsafe_view", "aten::view_copy", "aten::_reshape_copy")
def view(g: SymbolicContext, self: Value, size: Sequence[SymInt]) -> Value:
    """view(Tensor(a) self, SymInt[] size) -> Tensor(a)"""
    return reshape(g, self, size)


@symbolic("aten::_reshape_alias")
def reshape_alias(g: SymbolicContext, self: Value, size: Sequence[SymInt], stride: Sequence[SymInt]) -> Value:
    """_reshape_alias(Tensor(a) self, SymInt[] size, SymInt[] stride) -> Tensor(a)"""
    return reshape(g, self, size)


@symbolic("aten::view.dtype", "aten::view_copy.dtype")
def view_dtype(g: SymbolicContext, self: Value, dtype: ir.DataType) -> Value:
    """view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)"""
    return bits_as(g, self, dtype)


@symbolic("aten::as_strided", "aten::as_strided_copy")
def as_strided(
    g: SymbolicContext,
    self: Value,
    size: Sequence[SymInt],
    stride: Sequence[SymInt],
    storage_offset: SymInt | None = None,
) -> Value:
    """as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a)"""
    # Front ends see to it that the elements of ``self`` lie in memory in the order that an ONNX tensor has.
    places = places_by_strides(g, self, size, stride, storage_offset)
    return g.Gather(g.Reshape(self, [-1]), places, axis=0)


@symbolic("aten::atleast_1d")
def atleast_1d(g: SymbolicContext, self: Value) -> Value:
    """atleast_1d(Tensor self) -> Tensor"""
    return with_added_axes(g, self, [[0]])


@symbolic("aten::atleast_2d")
def atleast_2d(g: SymbolicContext, self: Value) -> Value:
    """atleast_2d(Tensor self) -> Tensor"""
    return with_added_axes(g, self, [[0, 1], [0]])


@symbolic("aten::atleast_3d")
def atleast_3d(g: SymbolicContext, self: Value) -> Value:
    """atleast_3d(Tensor self) -> Tensor"""
    return with_added_axes(g, self, [[0, 1, 2], [0, 2], [2]])


@symbolic("aten::atleast_1d.Sequence")
def atleast_1d_sequence(g: SymbolicContext, tensors: Sequence[Value]) -> Sequence[Value]:
    """atleast_1d.Sequence(Tensor[] tensors) -> Tensor[]"""
    return [atleast_1d(g, value) for value in tensors]


@symbolic("aten::atleast_2d.Sequence")
def atleast_2d_sequence(g: SymbolicContext, tensors: Sequence[Value]) -> Sequence[Value]:
    """atleast_2d.Sequence(Tensor[] tensors) -> Tensor[]"""
    return [atleast_2d(g, value) for value in tensors]


@symbolic("aten::atleast_3d.Sequence")
def atleast_3d_sequence(g: SymbolicContext, tensors: Sequence[Value]) -> Sequence[Value]:
    """atleast_3d.Sequence(Tensor[] tensors) -> Tensor[]"""
    return [atleast_3d(g, value) for value in tensors]


@symbolic("aten::view_as", "aten::reshape_as", since=9)
def view_as_9(g: SymbolicContext, self: Value, other: Value) -> Value:
    """view_as(Tensor(a) self, Tensor other) -> Tensor(a)"""
    sizes = [dimension(g, other, axis) for axis in range(rank_of(g, other))]
    return reshape(g, self, sizes)


@symbolic("aten::view_as", "aten::reshape_as", since=14)
def view_as_14(g: SymbolicContext, self: Value, other: Value) -> Value:
    """view_as(Tensor(a) self, Tensor other) -> Tensor(a)

    Since 14: allowzero, so that the shape of a tensor without elements can be used as it is.
    """
    return g.Reshape(self, g.Shape(other), allowzero=1)


@symbolic("aten::ravel")
def ravel(g: SymbolicContext, self: Value) -> Value:
    """ravel(Tensor(a) self) -> Tensor(a)"""
    return g.Reshape(self, [-1])


@symbolic("aten::unsqueeze", "aten::unsqueeze_copy")
def unsqueeze(g: SymbolicContext, self: Value, dim: int) -> Value:
    """unsqueeze(Tensor(a) self, int dim) -> Tensor(a)"""
    return g.Unsqueeze(self, [dim])


@symbolic("aten::squeeze", "aten::squeeze_copy")
def squeeze(g: SymbolicContext, self: Value) -> Value:
    """squeeze(Tensor(a) self) -> Tensor(a)"""
    return squeeze_dims(g, self, range(rank_of(g, self)))


@symbolic("aten::squeeze.dim", "aten::squeeze_copy.dim")
def squeeze_dim(g: SymbolicContext, self: Value, dim: int) -> Value:
    """squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)"""
    return squeeze_dims(g, self, [dim])


@symbolic("aten::squeeze.dims", "aten::squeeze_copy.dims")
def squeeze_dims(g: SymbolicContext, self: Value, dim: Sequence[int]) -> Value:
    """squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)"""
    rank = rank_of(g, self)
    if rank == 0:
        return self
    sizes = list(self.shape or ())
    asked = {normalize_axis(axis, rank) for axis in dim}
    ones = sorted(axis for axis in asked if sizes[axis] == 1)
    unknown = sorted(axis for axis in asked if not isinstance(sizes[axis], int))
    wanted = g.expected_shape()
    left = rank - len(ones)
    if unknown and (wanted is None or len(wanted) not in (left, left - len(unknown))):
        g.refuse("whether the size of an axis that it squeezes is 1 is known only at run time")
    if unknown and wanted is not None and len(wanted) == left - len(unknown):
        ones = sorted([*ones, *unknown])
    return g.Squeeze(self, ones) if ones else self


@symbolic("aten::flatten.using_ints")
def flatten(g: SymbolicContext, self: Value, start_dim: int = 0, end_dim: int = -1) -> Value:
    """flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)"""
    rank = rank_of(g, self)
    if rank == 0:
        return g.Reshape(self, [1])
    start, end = normalize_axis(start_dim, rank), normalize_axis(end_dim, rank)
    if start == end:
        return self
    if (start, end) == (1, rank - 1):
        return g.Flatten(self, axis=1)
    return _replaced(g, self, start, end, [_merged_size(g, self, start, end)])


def _merged_size(g: SymbolicContext, value: Value, start: int, end: int) -> SymInt:
    """The product of the sizes; -1 where Reshape can find it out by itself."""
    inner = [size for size in list(value.shape or ())[start : end + 1] if isinstance(size, int)]
    if len(inner) == end + 1 - start:
        return math.prod(inner)
    others = (axis for axis in range(rank_of(g, value)) if not start <= axis <= end)
    if all(least_size(g, value, axis) > 0 for axis in others):
        return -1
    return g.ReduceProd(g.Shape(value, start=start, end=end + 1), keepdims=0)


@symbolic("aten::unflatten.int")
def unflatten(g: SymbolicContext, self: Value, dim: int, sizes: Sequence[SymInt]) -> Value:
    """unflatten.int(Tensor(a) self, int dim, SymInt[] sizes) -> Tensor(a)"""
    axis = normalize_axis(dim, rank_of(g, self))
    return _replaced(g, self, axis, axis, counted_size(g, dimension(g, self, axis), sizes))


def _replaced(g: SymbolicContext, value: Value, start: int, end: int, sizes: Sequence[SymInt]) -> Value:
    """``value`` with ``sizes``, of which one may be -1, in place of its axes ``start`` to ``end``."""
    rank = rank_of(g, value)
    before = [dimension(g, value, axis) for axis in range(start)]
    after = [dimension(g, value, axis) for axis in range(end + 1, rank)]
    return reshape(g, value, [*before, *sizes, *after])


@symbolic("aten::expand", "aten::broadcast_to", "aten::expand_copy")
def expand(g: SymbolicContext, self: Value, size: Sequence[SymInt], implicit: bool = False) -> Value:
    """expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)"""
    kept = [1 if isinstance(item, int) and item == -1 else item for item in size]
    return g.Expand(self, size_vector(g, kept))


@symbolic("aten::broadcast_tensors")
def broadcast_tensors(g: SymbolicContext, tensors: Sequence[Value]) -> Sequence[Value]:
    """broadcast_tensors(Tensor[] tensors) -> Tensor[]"""
    return broadcast_together(g, tensors)


@symbolic("aten::expand_as")
def expand_as(g: SymbolicContext, self: Value, other: Value) -> Value:
    """expand_as(Tensor(a) self, Tensor other) -> Tensor(a)"""
    return g.Expand(self, g.Shape(other))
