"""Products, norms and distances of linear algebra."""

from __future__ import annotations

import math
from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._normalization import vector_norm
from onnx_ir_capture.emit._promotion import promote
from onnx_ir_capture.emit._reduction import extremum_over
from onnx_ir_capture.emit._shapes import normalize_axis, rank_of

__all__ = ["cross_product", "distances_between", "kronecker_product", "matrix_norm"]


def matrix_norm(
    emitter: Emitter, data: Value, ord: Scalar, dim: Sequence[int], keepdim: bool, dtype: ir.DataType | None
) -> Value:
    """The norm of matrices of order 1, of infinite order or of their negatives."""
    if isinstance(ord, ir.Value | complex):
        emitter.refuse("the order of the norm is not a constant")
    if abs(ord) != 1 and not math.isinf(ord):
        emitter.refuse(f"the matrix norm of order {ord} takes singular values, which ONNX does not have")
    value = data if dtype is None else emitter.cast(data, dtype)
    rows, columns = (normalize_axis(axis, rank_of(emitter, value)) for axis in dim)
    # Sums of rows for the infinite orders, of columns for the others.
    summed, compared = (columns, rows) if math.isinf(ord) else (rows, columns)
    sums = emitter.ReduceSum(emitter.Abs(value), [summed], keepdims=1)
    extremum = extremum_over(emitter, sums, [compared], keepdims=True, largest=ord > 0)
    return extremum if keepdim else emitter.Squeeze(extremum, sorted([rows, columns]))


def cross_product(emitter: Emitter, value: Value, other: Value, dim: int) -> Value:
    """The cross product along ``dim``."""
    left, right = promote(emitter, value, other)
    axis = normalize_axis(dim, rank_of(emitter, left))
    forward, backward = emitter.constant([1, 2, 0]), emitter.constant([2, 0, 1])
    plus = emitter.Mul(emitter.Gather(left, forward, axis=axis), emitter.Gather(right, backward, axis=axis))
    minus = emitter.Mul(emitter.Gather(left, backward, axis=axis), emitter.Gather(right, forward, axis=axis))
    return emitter.Sub(plus, minus)


def kronecker_product(emitter: Emitter, value: Value, other: Value) -> Value:
    """The product of every element of one with the whole other."""
    left, right = promote(emitter, value, other)
    rank = max(rank_of(emitter, left), rank_of(emitter, right))
    left, right = _of_rank(emitter, left, rank), _of_rank(emitter, right, rank)
    if rank == 0:
        return emitter.Mul(left, right)
    product = emitter.Mul(
        emitter.Unsqueeze(left, list(range(1, 2 * rank, 2))),
        emitter.Unsqueeze(right, list(range(0, 2 * rank, 2))),
    )
    return emitter.Reshape(product, emitter.Mul(emitter.Shape(left), emitter.Shape(right)), allowzero=1)


def _of_rank(emitter: Emitter, value: Value, rank: int) -> Value:
    missing = rank - rank_of(emitter, value)
    return emitter.Unsqueeze(value, list(range(missing))) if missing else value


def distances_between(emitter: Emitter, x1: Value, x2: Value, p: float) -> Value:
    """The distances of every pair of rows of one and the other."""
    difference = emitter.Sub(emitter.Unsqueeze(x1, [-2]), emitter.Unsqueeze(x2, [-3]))
    if math.isinf(p):
        # Here, and in no other norm, torch passes over what is NaN.
        difference = emitter.Where(emitter.IsNaN(difference), 0.0, difference)
    return vector_norm(emitter, difference, p, [rank_of(emitter, difference) - 1])
