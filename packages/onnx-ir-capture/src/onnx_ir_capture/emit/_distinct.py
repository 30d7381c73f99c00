"""Elements without their repetitions, and how many there are of each."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Operand, Scalar, SymInt, Value
from onnx_ir_capture.emit._dtypes import dtype_of, is_floating
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._promotion import promote
from onnx_ir_capture.emit._shapes import dimension, normalize_axis, rank_of, size_vector
from onnx_ir_capture.emit._slicing import transposed
from onnx_ir_capture.emit._sorting import ranked

__all__ = [
    "contained",
    "counts_of_integers",
    "distinct_elements",
    "distinct_slices",
    "histogram",
    "runs_of_equal",
]


def distinct_elements(
    emitter: Emitter, data: Value, return_inverse: bool, return_counts: bool
) -> tuple[Value, Value, Value]:
    """The elements without repetition, in order; for each its place among them, and their counts."""
    line = emitter.Reshape(data, [-1])
    if is_floating(data):
        # Every NaN is a value of its own, which ONNX Runtime's Unique does not see.
        ordered, places = ranked(emitter, line, dimension(emitter, line, 0), 0, largest=False)
        first = _starts(emitter, ordered, 0)
        values, counts = emitter.Compress(ordered, first, axis=0), _lengths(emitter, first)
        inverse = emitter.ScatterElements(places, places, _run_of_each(emitter, first), axis=0)
    else:
        values, inverse, counts = _distinct(emitter, line)
    return (
        values,
        _if(emitter, return_inverse, emitter.Reshape(inverse, emitter.Shape(data), allowzero=1)),
        _if(emitter, return_counts, counts),
    )


def _if(emitter: Emitter, wanted: bool, value: Value) -> Value:
    """What was not asked for is a tensor without elements."""
    return value if wanted else emitter.constant([])


def _distinct(emitter: Emitter, value: Value, axis: int = 0) -> tuple[Value, Value, Value]:
    """Ascending values without repetition, the place of each element among them, and their counts."""
    dtype = dtype_of(emitter, value)
    given = emitter.cast(value, ir.DataType.INT8) if dtype == ir.DataType.BOOL else value
    values, _, inverse, counts = emitter.Unique(given, axis=axis, sorted=1, outputs=4)
    return emitter.cast(values, dtype), inverse, counts


def distinct_slices(emitter: Emitter, value: Value, dim: int) -> tuple[Value, Value, Value]:
    """The slices along ``dim`` without repetition, in order; their places, and counts."""
    return _distinct(emitter, value, normalize_axis(dim, rank_of(emitter, value)))


def runs_of_equal(
    emitter: Emitter, value: Value, return_inverse: bool, return_counts: bool, dim: int | None
) -> tuple[Value, Value, Value]:
    """One element, or slice along ``dim``, of each run of equal ones; their places, and lengths."""
    if dim is None:
        line = emitter.Reshape(value, [-1])
        first = _starts(emitter, line, 0)
        inverse = emitter.Reshape(_run_of_each(emitter, first), emitter.Shape(value), allowzero=1)
        values = emitter.Compress(line, first, axis=0)
        return (
            values,
            _if(emitter, return_inverse, inverse),
            _if(emitter, return_counts, _lengths(emitter, first)),
        )
    axis = normalize_axis(dim, rank_of(emitter, value))
    first = _starts(emitter, value, axis)
    inverse, counts = _run_of_each(emitter, first), _lengths(emitter, first)
    values = emitter.Compress(value, first, axis=axis)
    return values, _if(emitter, return_inverse, inverse), _if(emitter, return_counts, counts)


def _starts(emitter: Emitter, value: Value, axis: int) -> Value:
    """Where along ``axis`` an element, or a slice of other axes, is another than the one before."""
    rank = rank_of(emitter, value)
    front = transposed(emitter, value, [axis, *(other for other in range(rank) if other != axis)])
    same = emitter.Equal(emitter.Slice(front, [1], [2**31 - 1], [0]), emitter.Slice(front, [0], [-1], [0]))
    other = emitter.Not(same)
    if rank > 1:
        number = emitter.ReduceSum(emitter.cast(other, ir.DataType.INT64), list(range(1, rank)), keepdims=0)
        other = emitter.cast(number, ir.DataType.BOOL)
    # The first element starts a run, if there is one.
    begin = emitter.Slice(emitter.Shape(front, end=1), [0], emitter.Shape(front, end=1), [0])
    return emitter.Concat(emitter.cast(begin, ir.DataType.BOOL), other, axis=0)


def _run_of_each(emitter: Emitter, first: Value) -> Value:
    return emitter.Sub(emitter.CumSum(emitter.cast(first, ir.DataType.INT64), emitter.constant(0)), 1)


def _lengths(emitter: Emitter, first: Value) -> Value:
    starts = emitter.Reshape(emitter.NonZero(first), [-1])
    ends = emitter.Slice(emitter.Concat(starts, emitter.Shape(first), axis=0), [1], [2**31 - 1], [0])
    return emitter.Sub(ends, starts)


def contained(emitter: Emitter, elements: Operand, test_elements: Value, invert: bool) -> Value:
    members, tests = promote(emitter, elements, test_elements)
    equal = emitter.Equal(emitter.Unsqueeze(members, [-1]), emitter.Reshape(tests, [-1]))
    count = emitter.ReduceSum(emitter.cast(equal, ir.DataType.INT64), [-1], keepdims=0)
    return emitter.Equal(count, 0) if invert else emitter.cast(count, ir.DataType.BOOL)


def counts_of_integers(emitter: Emitter, value: Value, weights: Value | None, minlength: SymInt) -> Value:
    """How often each number from 0 on is there, or the sum of its weights."""
    places = emitter.cast(value, ir.DataType.INT64)
    # The -1 stands for a largest element where there is none.
    largest = emitter.ReduceMax(emitter.Concat(places, [-1], axis=0), [0], keepdims=1)
    size = emitter.Max(emitter.Add(largest, 1), size_vector(emitter, [minlength]))
    if weights is None:
        dtype, ones = ir.DataType.INT64, emitter.Expand(emitter.constant(1), emitter.Shape(places))
    else:
        dtype = ir.DataType.FLOAT if weights.dtype == ir.DataType.FLOAT else ir.DataType.DOUBLE
        ones = emitter.cast(weights, dtype)
    zeros = emitter.Expand(emitter.constant(0, dtype), size)
    return emitter.ScatterElements(zeros, places, ones, axis=0, reduction="add")


def histogram(emitter: Emitter, data: Value, bins: int, min: Scalar, max: Scalar) -> Value:
    """How many elements are in each of ``bins`` of one width."""
    dtype = dtype_of(emitter, data)
    line = emitter.Reshape(data, [-1])
    low, high = _range(emitter, line, min, max)
    inside = emitter.And(emitter.GreaterOrEqual(line, low), emitter.LessOrEqual(line, high))
    # In torch's order, so that a value at an edge is rounded to the same bin.
    share = emitter.Div(emitter.Mul(emitter.Sub(line, low), float(bins)), emitter.Sub(high, low))
    place = emitter.Min(emitter.cast(emitter.Where(inside, share, 0.0), ir.DataType.INT64), bins - 1)
    zeros = emitter.Expand(emitter.constant(0, dtype), emitter.constant([bins]))
    return emitter.ScatterElements(zeros, place, emitter.cast(inside, dtype), axis=0, reduction="add")


def _range(emitter: Emitter, line: Value, low: Scalar, high: Scalar) -> tuple[Value, Value]:
    """The bounds of a histogram: those of the elements where none are given, and never the same number."""
    if isinstance(low, ir.Value | complex) or isinstance(high, ir.Value | complex):
        emitter.refuse("the bounds are not constants")
    dtype = dtype_of(emitter, line)
    if low != high:
        return emitter.constant(low, dtype), emitter.constant(high, dtype)
    least, most = emitter.ReduceMin(line, [0], keepdims=0), emitter.ReduceMax(line, [0], keepdims=0)
    wider = emitter.cast(emitter.Equal(least, most), dtype)
    return emitter.Sub(least, wider), emitter.Add(most, wider)
