"""Sorted elements, and places by order."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, SymInt, Value
from onnx_ir_capture.emit import (
    dimension,
    insertion_points,
    is_floating,
    normalize_axis,
    places_of_nonzero,
    places_of_nonzero_of_count,
    promote,
    rank_of,
    ranked,
)
from onnx_torchlib import Op, translator

__all__ = [
    "argsort",
    "argsort_stable",
    "bucketize",
    "bucketize_scalar",
    "kthvalue",
    "median",
    "median_dim",
    "mode",
    "msort",
    "nanmedian",
    "nanmedian_dim",
    "nonzero",
    "nonzero_numpy",
    "nonzero_static",
    "searchsorted",
    "searchsorted_scalar",
    "sort",
    "sort_stable",
    "topk",
]

_OTHER_INDEX = "of equal values the index of another one may come out"


@translator("aten::topk")
def topk(
    op: Op, self: Value, k: SymInt, dim: int = -1, largest: bool = True, sorted: bool = True
) -> tuple[Value, Value]:
    """topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor indices)"""
    if rank_of(op, self) == 0:
        return self, op.constant(0)
    return ranked(op, self, k, normalize_axis(dim, rank_of(op, self)), largest=largest)


@translator("aten::sort")
def sort(op: Op, self: Value, dim: int = -1, descending: bool = False) -> tuple[Value, Value]:
    """sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)"""
    rank = rank_of(op, self)
    if rank == 0:
        return self, op.constant(0)
    axis = normalize_axis(dim, rank)
    return ranked(op, self, dimension(op, self, axis), axis, largest=descending)


@translator("aten::sort.stable")
def sort_stable(
    op: Op, self: Value, stable: bool | None, dim: int = -1, descending: bool = False
) -> tuple[Value, Value]:
    """sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)"""
    return sort(op, self, dim, descending)


@translator("aten::argsort")
def argsort(op: Op, self: Value, dim: int = -1, descending: bool = False) -> Value:
    """argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor"""
    return sort(op, self, dim, descending)[1]


@translator("aten::argsort.stable")
def argsort_stable(op: Op, self: Value, stable: bool, dim: int = -1, descending: bool = False) -> Value:
    """argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor"""
    return sort(op, self, dim, descending)[1]


@translator("aten::msort")
def msort(op: Op, self: Value) -> Value:
    """msort(Tensor self) -> Tensor"""
    return sort(op, self, 0)[0]


@translator("aten::kthvalue")
def kthvalue(op: Op, self: Value, k: SymInt, dim: int = -1, keepdim: bool = False) -> tuple[Value, Value]:
    """kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)"""
    if rank_of(op, self) == 0:
        return self, op.constant(0)
    axis = normalize_axis(dim, rank_of(op, self))
    op.limit(_OTHER_INDEX)
    values, indices = ranked(op, self, k, axis, largest=False)
    last = [op.Slice(found, [-1], [2**31 - 1], [axis]) for found in (values, indices)]
    return (last[0], last[1]) if keepdim else (op.Squeeze(last[0], [axis]), op.Squeeze(last[1], [axis]))


@translator("aten::median.dim")
def median_dim(op: Op, self: Value, dim: int, keepdim: bool = False) -> tuple[Value, Value]:
    """median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)"""
    return _median(op, self, dim, keepdim=keepdim, skip_nan=False)


@translator("aten::nanmedian.dim")
def nanmedian_dim(op: Op, self: Value, dim: int, keepdim: bool = False) -> tuple[Value, Value]:
    """nanmedian.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)"""
    return _median(op, self, dim, keepdim=keepdim, skip_nan=True)


@translator("aten::median")
def median(op: Op, self: Value) -> Value:
    """median(Tensor self) -> Tensor"""
    return _median(op, op.Reshape(self, [-1]), 0, keepdim=False, skip_nan=False)[0]


@translator("aten::nanmedian")
def nanmedian(op: Op, self: Value) -> Value:
    """nanmedian(Tensor self) -> Tensor"""
    return _median(op, op.Reshape(self, [-1]), 0, keepdim=False, skip_nan=True)[0]


def _median(op: Op, value: Value, dim: int, *, keepdim: bool, skip_nan: bool) -> tuple[Value, Value]:
    """The lower of the two middle elements; the first NaN, if there is one that is not to be skipped."""
    rank = rank_of(op, value)
    if rank == 0:
        return value, op.constant(0)
    axis = normalize_axis(dim, rank)
    size = op.Shape(value, start=axis, end=axis + 1)
    values, indices = sort(op, value, axis)
    place = op.Div(op.Sub(size, 1), 2)
    if not is_floating(value):
        found = [op.Gather(part, place, axis=axis) for part in (values, indices)]
    else:
        undefined = op.ReduceSum(op.cast(op.IsNaN(value), ir.DataType.INT64), [axis], keepdims=1)
        # NaNs stand behind all numbers.
        numbers = op.Sub(size, undefined)
        if skip_nan:
            place = op.Max(op.Div(op.Sub(numbers, 1), 2), 0)
        else:
            place = op.Where(op.Equal(undefined, 0), place, numbers)
        found = [op.GatherElements(part, place, axis=axis) for part in (values, indices)]
    return (found[0], found[1]) if keepdim else (op.Squeeze(found[0], [axis]), op.Squeeze(found[1], [axis]))


@translator("aten::mode")
def mode(op: Op, self: Value, dim: int = -1, keepdim: bool = False) -> tuple[Value, Value]:
    """mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)

    Of elements that occur equally often the smallest; its index is one of those that torch may give.
    """
    if rank_of(op, self) == 0:
        return self, op.constant(0)
    axis = normalize_axis(dim, rank_of(op, self))
    op.limit(_OTHER_INDEX)
    if is_floating(self):
        op.limit("of numbers that occur once each beside NaN it gives the smallest, and not NaN")
    values, indices = sort(op, self, axis)
    equal = op.Equal(op.Unsqueeze(values, [axis]), op.Unsqueeze(values, [axis + 1]))
    count = op.ReduceSum(op.cast(equal, ir.DataType.INT64), [axis], keepdims=0)
    place = op.ArgMax(count, axis=axis, keepdims=1)
    found = [op.GatherElements(part, place, axis=axis) for part in (values, indices)]
    return (found[0], found[1]) if keepdim else (op.Squeeze(found[0], [axis]), op.Squeeze(found[1], [axis]))


@translator("aten::nonzero", "aten::argwhere")
def nonzero(op: Op, self: Value) -> Value:
    """nonzero(Tensor self) -> Tensor"""
    return places_of_nonzero(op, self)


@translator("aten::nonzero_static")
def nonzero_static(op: Op, self: Value, size: SymInt, fill_value: int = -1) -> Value:
    """nonzero_static(Tensor self, *, SymInt size, int fill_value=-1) -> Tensor"""
    return places_of_nonzero_of_count(op, self, size, fill_value)


@translator("aten::nonzero_numpy")
def nonzero_numpy(op: Op, self: Value) -> Sequence[Value]:
    """nonzero_numpy(Tensor self) -> Tensor[]"""
    value = self if rank_of(op, self) else op.Reshape(self, [1])
    found = op.NonZero(op.cast(value, ir.DataType.BOOL))
    return [op.Gather(found, op.constant(axis), axis=0) for axis in range(rank_of(op, value))]


@translator("aten::searchsorted.Tensor")
def searchsorted(
    op: Op,
    sorted_sequence: Value,
    self: Value,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Value | None = None,
) -> Value:
    """searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor"""
    sequence = sorted_sequence if sorter is None else op.GatherElements(sorted_sequence, sorter, axis=-1)
    if rank_of(op, sequence) > 1:
        sequence = op.Unsqueeze(sequence, [-2])
    return insertion_points(op, sequence, self, right=right or side == "right", dtype=_index_dtype(out_int32))


@translator("aten::searchsorted.Scalar")
def searchsorted_scalar(
    op: Op,
    sorted_sequence: Value,
    self: Scalar,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Value | None = None,
) -> Value:
    """searchsorted.Scalar(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor"""
    boundaries, value = promote(op, sorted_sequence, self)
    return searchsorted(op, boundaries, value, out_int32, right, side, sorter)


@translator("aten::bucketize.Tensor")
def bucketize(op: Op, self: Value, boundaries: Value, out_int32: bool = False, right: bool = False) -> Value:
    """bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor"""
    return insertion_points(op, boundaries, self, right=right, dtype=_index_dtype(out_int32))


@translator("aten::bucketize.Scalar")
def bucketize_scalar(
    op: Op, self: Scalar, boundaries: Value, out_int32: bool = False, right: bool = False
) -> Value:
    """bucketize.Scalar(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor"""
    sequence, value = promote(op, boundaries, self)
    return insertion_points(op, sequence, value, right=right, dtype=_index_dtype(out_int32))


def _index_dtype(out_int32: bool) -> ir.DataType:
    return ir.DataType.INT32 if out_int32 else ir.DataType.INT64
