"""Reductions over axes, as torch defines them for NaN, bools and tensors without elements."""

from __future__ import annotations

import math
from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit._dtypes import HALVES, accumulated, dtype_of, is_floating
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._shapes import least_size, normalize_axis, rank_of

__all__ = [
    "axes_of",
    "count_nonzero_over",
    "count_over",
    "extremum_over",
    "mean_over",
    "position_of_extremum",
    "sum_over",
    "variance_over",
]


def axes_of(emitter: Emitter, value: Value, dim: Sequence[int] | None) -> list[int]:
    """The axes to reduce: all of them for None and for an empty list, and none of a 0-d tensor."""
    rank = rank_of(emitter, value)
    if not dim:
        return list(range(rank))
    return [normalize_axis(axis, rank) for axis in dim] if rank else []


def sum_over(
    emitter: Emitter, value: Value, axes: Sequence[int], *, keepdims: bool, dtype: ir.DataType | None = None
) -> Value:
    """The sum over ``axes`` in ``dtype``, or in the one that torch sums in."""
    terms = emitter.cast(value, accumulated(emitter, value, dtype))
    if terms.dtype == ir.DataType.BOOL:
        return emitter.cast(count_nonzero_over(emitter, terms, axes, keepdims=keepdims), ir.DataType.BOOL)
    return emitter.ReduceSum(terms, axes, keepdims=int(keepdims)) if axes else terms


def count_nonzero_over(emitter: Emitter, value: Value, axes: Sequence[int], *, keepdims: bool) -> Value:
    """How many elements are not 0, as INT64: a sum, since a maximum of no elements is not defined."""
    ones = emitter.cast(emitter.cast(value, ir.DataType.BOOL), ir.DataType.INT64)
    return emitter.ReduceSum(ones, axes, keepdims=int(keepdims)) if axes else ones


def mean_over(emitter: Emitter, value: Value, axes: Sequence[int], *, keepdims: bool = False) -> Value:
    """The mean over ``axes``, one of them at least.

    ONNX leaves the mean of nothing open, and ONNX Runtime gives 0 for torch's 0 / 0: where an axis may be
    empty, the sum is divided in the open.
    """
    if all(least_size(emitter, value, axis) > 0 for axis in axes):
        return emitter.ReduceMean(value, axes, keepdims=int(keepdims))
    given = dtype_of(emitter, value)
    wide = emitter.cast(value, ir.DataType.FLOAT) if given in HALVES else value
    total = emitter.ReduceSum(wide, axes, keepdims=int(keepdims))
    count = emitter.cast(count_over(emitter, value, axes), dtype_of(emitter, wide))
    return emitter.cast(emitter.Div(total, count), given)


def count_over(emitter: Emitter, value: Value, axes: Sequence[int]) -> Value:
    """Number of elements in a reduction, as a 0-d DOUBLE."""
    shape = tuple(value.shape or ())
    known = [size for size in (shape[axis] for axis in axes) if isinstance(size, int)]
    if len(known) == len(axes):
        return emitter.constant(float(math.prod(known)), ir.DataType.DOUBLE)
    sizes = emitter.Gather(emitter.Shape(value), emitter.constant(list(axes)))
    return emitter.cast(emitter.ReduceProd(sizes, keepdims=0), ir.DataType.DOUBLE)


def extremum_over(
    emitter: Emitter, value: Value, axes: Sequence[int], *, keepdims: bool, largest: bool
) -> Value:
    """The largest or smallest element over ``axes``; NaN where there is one."""
    if not axes:
        return value
    if value.dtype == ir.DataType.BOOL:
        number = emitter.cast(value, ir.DataType.INT32)
        found = extremum_over(emitter, number, axes, keepdims=keepdims, largest=largest)
        return emitter.cast(found, ir.DataType.BOOL)
    reduce = emitter.ReduceMax if largest else emitter.ReduceMin
    result = reduce(value, axes, keepdims=int(keepdims))
    if not is_floating(value):
        return result
    # Torch's extremum of anything with NaN is NaN; ONNX does not say, and ONNX Runtime skips it.
    places = emitter.cast(emitter.IsNaN(value), ir.DataType.INT32)
    undefined = emitter.ReduceMax(places, axes, keepdims=int(keepdims))
    return emitter.Where(emitter.cast(undefined, ir.DataType.BOOL), math.nan, result)


def position_of_extremum(
    emitter: Emitter, value: Value, dim: int | None, *, keepdims: bool, largest: bool
) -> Value:
    """Where the first of the largest or smallest elements stands along ``dim``, or among all of them."""
    rank = rank_of(emitter, value)
    if rank == 0:
        return emitter.constant(0)
    if dim is None:
        flat = emitter.Reshape(value, [-1])
        position = position_of_extremum(emitter, flat, 0, keepdims=False, largest=largest)
        return emitter.Reshape(position, emitter.constant([1] * rank)) if keepdims else position
    axis = normalize_axis(dim, rank)
    find = emitter.ArgMax if largest else emitter.ArgMin
    if value.dtype == ir.DataType.BOOL:
        return find(emitter.cast(value, ir.DataType.INT32), axis=axis, keepdims=int(keepdims))
    found = find(value, axis=axis, keepdims=int(keepdims))
    if not is_floating(value):
        return found
    # The first NaN comes before every number.
    undefined = emitter.cast(emitter.IsNaN(value), ir.DataType.INT32)
    first = emitter.ArgMax(undefined, axis=axis, keepdims=int(keepdims))
    some = emitter.ReduceMax(undefined, [axis], keepdims=int(keepdims))
    return emitter.Where(emitter.cast(some, ir.DataType.BOOL), first, found)


def variance_over(
    emitter: Emitter, value: Value, axes: Sequence[int], correction: Scalar | None, *, keepdims: bool
) -> tuple[Value, Value]:
    """The variance over ``axes``, and the mean.

    The divisor is the number of elements less ``correction``, which is 1 for None.

    Raises:
        Unsupported: the correction is computed at run time, or there is no axis.
    """
    correction = 1 if correction is None else correction
    if isinstance(correction, ir.Value | complex):
        emitter.refuse("its correction is computed at run time")
    if not axes:
        emitter.refuse("it takes the variance of a 0-d tensor")
    mean = mean_over(emitter, value, axes, keepdims=True)
    distance = emitter.Sub(value, mean)
    total = emitter.ReduceSum(emitter.Mul(distance, distance), axes, keepdims=int(keepdims))
    freedom = emitter.Max(emitter.Sub(count_over(emitter, value, axes), float(correction)), 0.0)
    variance = emitter.Div(total, emitter.cast(freedom, dtype_of(emitter, value)))
    return variance, mean if keepdims else emitter.Squeeze(mean, axes)
