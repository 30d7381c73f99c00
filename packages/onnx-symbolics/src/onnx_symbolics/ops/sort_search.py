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
from onnx_symbolics import SymbolicContext, symbolic

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


@symbolic("aten::topk")
def topk(
    g: SymbolicContext, self: Value, k: SymInt, dim: int = -1, largest: bool = True, sorted: bool = True
) -> tuple[Value, Value]:
    """topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor indices)"""
    if rank_of(g, self) == 0:
        return self, g.constant(0)
    return ranked(g, self, k, normalize_axis(dim, rank_of(g, self)), largest=largest)


@symbolic("aten::sort")
def sort(g: SymbolicContext, self: Value, dim: int = -1, descending: bool = False) -> tuple[Value, Value]:
    """sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)"""
    rank = rank_of(g, self)
    if rank == 0:
        return self, g.constant(0)
    axis = normalize_axis(dim, rank)
    return ranked(g, self, dimension(g, self, axis), axis, largest=descending)


@symbolic("aten::sort.stable")
def sort_stable(
    g: SymbolicContext, self: Value, stable: bool | None, dim: int = -1, descending: bool = False
) -> tuple[Value, Value]:
    """sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)"""
    return sort(g, self, dim, descending)


@symbolic("aten::argsort")
def argsort(g: SymbolicContext, self: Value, dim: int = -1, descending: bool = False) -> Value:
    """argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor"""
    return sort(g, self, dim, descending)[1]


@symbolic("aten::argsort.stable")
def argsort_stable(
    g: SymbolicContext, self: Value, stable: bool, dim: int = -1, descending: bool = False
) -> Value:
    """argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor"""
    return sort(g, self, dim, descending)[1]


@symbolic("aten::msort")
def msort(g: SymbolicContext, self: Value) -> Value:
    """msort(Tensor self) -> Tensor"""
    return sort(g, self, 0)[0]


@symbolic("aten::kthvalue")
def kthvalue(
    g: SymbolicContext, self: Value, k: SymInt, dim: int = -1, keepdim: bool = False
) -> tuple[Value, Value]:
    """kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)"""
    if rank_of(g, self) == 0:
        return self, g.constant(0)
    axis = normalize_axis(dim, rank_of(g, self))
    g.limit(_OTHER_INDEX)
    values, indices = ranked(g, self, k, axis, largest=False)
    last = [g.Slice(found, [-1], [2**31 - 1], [axis]) for found in (values, indices)]
    return (last[0], last[1]) if keepdim else (g.Squeeze(last[0], [axis]), g.Squeeze(last[1], [axis]))


@symbolic("aten::median.dim")
def median_dim(g: SymbolicContext, self: Value, dim: int, keepdim: bool = False) -> tuple[Value, Value]:
    """median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)"""
    return _median(g, self, dim, keepdim=keepdim, skip_nan=False)


@symbolic("aten::nanmedian.dim")
def nanmedian_dim(g: SymbolicContext, self: Value, dim: int, keepdim: bool = False) -> tuple[Value, Value]:
    """nanmedian.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)"""
    return _median(g, self, dim, keepdim=keepdim, skip_nan=True)


@symbolic("aten::median")
def median(g: SymbolicContext, self: Value) -> Value:
    """median(Tensor self) -> Tensor"""
    return _median(g, g.Reshape(self, [-1]), 0, keepdim=False, skip_nan=False)[0]


@symbolic("aten::nanmedian")
def nanmedian(g: SymbolicContext, self: Value) -> Value:
    """nanmedian(Tensor self) -> Tensor"""
    return _median(g, g.Reshape(self, [-1]), 0, keepdim=False, skip_nan=True)[0]


def _median(
    g: SymbolicContext, value: Value, dim: int, *, keepdim: bool, skip_nan: bool
) -> tuple[Value, Value]:
    """The lower of the two middle elements; the first NaN, if there is one that is not to be skipped."""
    rank = rank_of(g, value)
    if rank == 0:
        return value, g.constant(0)
    axis = normalize_axis(dim, rank)
    size = g.Shape(value, start=axis, end=axis + 1)
    values, indices = sort(g, value, axis)
    place = g.Div(g.Sub(size, 1), 2)
    if not is_floating(value):
        found = [g.Gather(part, place, axis=axis) for part in (values, indices)]
    else:
        undefined = g.ReduceSum(g.cast(g.IsNaN(value), ir.DataType.INT64), [axis], keepdims=1)
        # NaNs stand behind all numbers.
        numbers = g.Sub(size, undefined)
        if skip_nan:
            place = g.Max(g.Div(g.Sub(numbers, 1), 2), 0)
        else:
            place = g.Where(g.Equal(undefined, 0), place, numbers)
        found = [g.GatherElements(part, place, axis=axis) for part in (values, indices)]
    return (found[0], found[1]) if keepdim else (g.Squeeze(found[0], [axis]), g.Squeeze(found[1], [axis]))


@symbolic("aten::mode")
def mode(g: SymbolicContext, self: Value, dim: int = -1, keepdim: bool = False) -> tuple[Value, Value]:
    """mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)

    Of elements that occur equally often the smallest; its index is one of those that torch may give.
    """
    if rank_of(g, self) == 0:
        return self, g.constant(0)
    axis = normalize_axis(dim, rank_of(g, self))
    g.limit(_OTHER_INDEX)
    if is_floating(self):
        g.limit("of numbers that occur once each beside NaN it gives the smallest, and not NaN")
    values, indices = sort(g, self, axis)
    equal = g.Equal(g.Unsqueeze(values, [axis]), g.Unsqueeze(values, [axis + 1]))
    count = g.ReduceSum(g.cast(equal, ir.DataType.INT64), [axis], keepdims=0)
    place = g.ArgMax(count, axis=axis, keepdims=1)
    found = [g.GatherElements(part, place, axis=axis) for part in (values, indices)]
    return (found[0], found[1]) if keepdim else (g.Squeeze(found[0], [axis]), g.Squeeze(found[1], [axis]))


@symbolic("aten::nonzero", "aten::argwhere")
def nonzero(g: SymbolicContext, self: Value) -> Value:
    """nonzero(Tensor self) -> Tensor"""
    return places_of_nonzero(g, self)


@symbolic("aten::nonzero_static")
def nonzero_static(g: SymbolicContext, self: Value, size: SymInt, fill_value: int = -1) -> Value:
    """nonzero_static(Tensor self, *, SymInt size, int fill_value=-1) -> Tensor"""
    return places_of_nonzero_of_count(g, self, size, fill_value)


@symbolic("aten::nonzero_numpy")
def nonzero_numpy(g: SymbolicContext, self: Value) -> Sequence[Value]:
    """nonzero_numpy(Tensor self) -> Tensor[]"""
    value = self if rank_of(g, self) else g.Reshape(self, [1])
    found = g.NonZero(g.cast(value, ir.DataType.BOOL))
    return [g.Gather(found, g.constant(axis), axis=0) for axis in range(rank_of(g, value))]


@symbolic("aten::searchsorted.Tensor")
def searchsorted(
    g: SymbolicContext,
    sorted_sequence: Value,
    self: Value,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Value | None = None,
) -> Value:
    """searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor"""
    sequence = sorted_sequence if sorter is None else g.GatherElements(sorted_sequence, sorter, axis=-1)
    if rank_of(g, sequence) > 1:
        sequence = g.Unsqueeze(sequence, [-2])
    return insertion_points(g, sequence, self, right=right or side == "right", dtype=_index_dtype(out_int32))


@symbolic("aten::searchsorted.Scalar")
def searchsorted_scalar(
    g: SymbolicContext,
    sorted_sequence: Value,
    self: Scalar,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Value | None = None,
) -> Value:
    """searchsorted.Scalar(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor"""
    boundaries, value = promote(g, sorted_sequence, self)
    return searchsorted(g, boundaries, value, out_int32, right, side, sorter)


@symbolic("aten::bucketize.Tensor")
def bucketize(
    g: SymbolicContext, self: Value, boundaries: Value, out_int32: bool = False, right: bool = False
) -> Value:
    """bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor"""
    return insertion_points(g, boundaries, self, right=right, dtype=_index_dtype(out_int32))


@symbolic("aten::bucketize.Scalar")
def bucketize_scalar(
    g: SymbolicContext, self: Scalar, boundaries: Value, out_int32: bool = False, right: bool = False
) -> Value:
    """bucketize.Scalar(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor"""
    sequence, value = promote(g, boundaries, self)
    return insertion_points(g, sequence, value, right=right, dtype=_index_dtype(out_int32))


def _index_dtype(out_int32: bool) -> ir.DataType:
    return ir.DataType.INT32 if out_int32 else ir.DataType.INT64
