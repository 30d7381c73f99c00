"""Elements without their repetitions, and how many there are of each."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Operand, Scalar, SymInt, Value
from onnx_ir_capture.emit import (
    dtype_of,
    is_floating,
    normalize_axis,
    promote,
    rank_of,
    size_vector,
    transposed,
)
from onnx_torchlib import Op, translator
from onnx_torchlib.ops.sort_search import sort

__all__ = [
    "bincount",
    "histc",
    "isin",
    "isin_scalar",
    "scalar_isin",
    "unique",
    "unique_consecutive",
    "unique_dim",
]


@translator("aten::_unique2")
def unique(
    op: Op, self: Value, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False
) -> tuple[Value, Value, Value]:
    """_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)"""
    line = op.Reshape(self, [-1])
    if is_floating(self):
        # Every NaN is a value of its own, which ONNX Runtime's Unique does not see.
        ordered, places = sort(op, line)
        first = _starts(op, ordered, 0)
        values, counts = op.Compress(ordered, first, axis=0), _lengths(op, first)
        inverse = op.ScatterElements(places, places, _run_of_each(op, first), axis=0)
    else:
        values, inverse, counts = _distinct(op, line)
    return (
        values,
        _if(op, return_inverse, op.Reshape(inverse, op.Shape(self), allowzero=1)),
        _if(op, return_counts, counts),
    )


def _if(op: Op, wanted: bool, value: Value) -> Value:
    """What was not asked for is a tensor without elements."""
    return value if wanted else op.constant([])


def _distinct(op: Op, value: Value, axis: int = 0) -> tuple[Value, Value, Value]:
    """Ascending values without repetition, the place of each element among them, and their counts."""
    dtype = dtype_of(op, value)
    given = op.cast(value, ir.DataType.INT8) if dtype == ir.DataType.BOOL else value
    values, _, inverse, counts = op.Unique(given, axis=axis, sorted=1, outputs=4)
    return op.cast(values, dtype), inverse, counts


@translator("aten::unique_dim")
def unique_dim(
    op: Op,
    self: Value,
    dim: int,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
) -> tuple[Value, Value, Value]:
    """unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)"""
    return _distinct(op, self, normalize_axis(dim, rank_of(op, self)))


@translator("aten::unique_consecutive")
def unique_consecutive(
    op: Op, self: Value, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> tuple[Value, Value, Value]:
    """unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None) -> (Tensor, Tensor, Tensor)"""
    if dim is None:
        line = op.Reshape(self, [-1])
        first = _starts(op, line, 0)
        inverse = op.Reshape(_run_of_each(op, first), op.Shape(self), allowzero=1)
        values = op.Compress(line, first, axis=0)
        return values, _if(op, return_inverse, inverse), _if(op, return_counts, _lengths(op, first))
    axis = normalize_axis(dim, rank_of(op, self))
    first = _starts(op, self, axis)
    inverse, counts = _run_of_each(op, first), _lengths(op, first)
    values = op.Compress(self, first, axis=axis)
    return values, _if(op, return_inverse, inverse), _if(op, return_counts, counts)


def _starts(op: Op, value: Value, axis: int) -> Value:
    """Where along ``axis`` an element, or a slice of other axes, is another than the one before."""
    rank = rank_of(op, value)
    front = transposed(op, value, [axis, *(other for other in range(rank) if other != axis)])
    same = op.Equal(op.Slice(front, [1], [2**31 - 1], [0]), op.Slice(front, [0], [-1], [0]))
    other = op.Not(same)
    if rank > 1:
        number = op.ReduceSum(op.cast(other, ir.DataType.INT64), list(range(1, rank)), keepdims=0)
        other = op.cast(number, ir.DataType.BOOL)
    # The first element starts a run, if there is one.
    begin = op.Slice(op.Shape(front, end=1), [0], op.Shape(front, end=1), [0])
    return op.Concat(op.cast(begin, ir.DataType.BOOL), other, axis=0)


def _run_of_each(op: Op, first: Value) -> Value:
    return op.Sub(op.CumSum(op.cast(first, ir.DataType.INT64), op.constant(0)), 1)


def _lengths(op: Op, first: Value) -> Value:
    starts = op.Reshape(op.NonZero(first), [-1])
    ends = op.Slice(op.Concat(starts, op.Shape(first), axis=0), [1], [2**31 - 1], [0])
    return op.Sub(ends, starts)


@translator("aten::isin.Tensor_Tensor")
def isin(
    op: Op, elements: Value, test_elements: Value, assume_unique: bool = False, invert: bool = False
) -> Value:
    """isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> Tensor"""
    return _contained(op, elements, test_elements, invert)


@translator("aten::isin.Tensor_Scalar")
def isin_scalar(
    op: Op, elements: Value, test_element: Scalar, assume_unique: bool = False, invert: bool = False
) -> Value:
    """isin.Tensor_Scalar(Tensor elements, Scalar test_element, *, bool assume_unique=False, bool invert=False) -> Tensor"""
    equal = op.Equal(*promote(op, elements, test_element))
    return op.Not(equal) if invert else equal


@translator("aten::isin.Scalar_Tensor")
def scalar_isin(
    op: Op, element: Scalar, test_elements: Value, assume_unique: bool = False, invert: bool = False
) -> Value:
    """isin.Scalar_Tensor(Scalar element, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> Tensor"""
    return _contained(op, element, test_elements, invert)


def _contained(op: Op, elements: Operand, test_elements: Value, invert: bool) -> Value:
    members, tests = promote(op, elements, test_elements)
    equal = op.Equal(op.Unsqueeze(members, [-1]), op.Reshape(tests, [-1]))
    count = op.ReduceSum(op.cast(equal, ir.DataType.INT64), [-1], keepdims=0)
    return op.Equal(count, 0) if invert else op.cast(count, ir.DataType.BOOL)


@translator("aten::bincount")
def bincount(op: Op, self: Value, weights: Value | None = None, minlength: SymInt = 0) -> Value:
    """bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor"""
    places = op.cast(self, ir.DataType.INT64)
    # The -1 stands for a largest element where there is none.
    largest = op.ReduceMax(op.Concat(places, [-1], axis=0), [0], keepdims=1)
    size = op.Max(op.Add(largest, 1), size_vector(op, [minlength]))
    if weights is None:
        dtype, ones = ir.DataType.INT64, op.Expand(op.constant(1), op.Shape(places))
    else:
        dtype = ir.DataType.FLOAT if weights.dtype == ir.DataType.FLOAT else ir.DataType.DOUBLE
        ones = op.cast(weights, dtype)
    zeros = op.Expand(op.constant(0, dtype), size)
    return op.ScatterElements(zeros, places, ones, axis=0, reduction="add")


@translator("aten::histc")
def histc(op: Op, self: Value, bins: int = 100, min: Scalar = 0, max: Scalar = 0) -> Value:
    """histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor"""
    dtype = dtype_of(op, self)
    line = op.Reshape(self, [-1])
    low, high = _range(op, line, min, max)
    inside = op.And(op.GreaterOrEqual(line, low), op.LessOrEqual(line, high))
    # In torch's order, so that a value at an edge is rounded to the same bin.
    share = op.Div(op.Mul(op.Sub(line, low), float(bins)), op.Sub(high, low))
    place = op.Min(op.cast(op.Where(inside, share, 0.0), ir.DataType.INT64), bins - 1)
    zeros = op.Expand(op.constant(0, dtype), op.constant([bins]))
    return op.ScatterElements(zeros, place, op.cast(inside, dtype), axis=0, reduction="add")


def _range(op: Op, line: Value, low: Scalar, high: Scalar) -> tuple[Value, Value]:
    """The bounds of a histogram: those of the elements where none are given, and never the same number."""
    if isinstance(low, ir.Value | complex) or isinstance(high, ir.Value | complex):
        op.refuse("the bounds are not constants")
    dtype = dtype_of(op, line)
    if low != high:
        return op.constant(low, dtype), op.constant(high, dtype)
    least, most = op.ReduceMin(line, [0], keepdims=0), op.ReduceMax(line, [0], keepdims=0)
    wider = op.cast(op.Equal(least, most), dtype)
    return op.Sub(least, wider), op.Add(most, wider)
