"""The exponential of matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit._dtypes import dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._loops import counted_loop
from onnx_ir_capture.emit._shapes import dimension

__all__ = ["matrix_exponential"]

_DEGREE = 18
"""Of the Taylor series, whose rest is below DOUBLE's precision for matrices of norm 1."""

_MOST_SQUARES = 1100.0
"""More than a matrix needs whose norm is a number."""


def matrix_exponential(emitter: Emitter, matrices: Value) -> Value:
    """exp of each matrix, by halving it to a norm of at most 1, and squaring the series of that as often.

    Source: N. J. Higham, Functions of Matrices (2008), section 10.3.
    """
    size = dimension(emitter, matrices, -1)
    if size == 0:
        return emitter.Identity(matrices)
    dtype = dtype_of(emitter, matrices)
    sums = emitter.ReduceSum(emitter.Abs(matrices), [-2], keepdims=1)
    norm = emitter.ReduceMax(sums, [-1], keepdims=1)
    halvings = emitter.Ceil(emitter.Mul(emitter.Log(norm), 1 / math.log(2)))
    # Neither 0 nor what is no number is halved.
    halvings = emitter.Where(emitter.Greater(norm, 1.0), halvings, 0.0)
    halvings = emitter.Where(emitter.Less(halvings, _MOST_SQUARES), halvings, 0.0)
    small = emitter.Mul(matrices, emitter.Pow(emitter.constant(2.0, dtype), emitter.Neg(halvings)))
    places = emitter.Range(0, emitter.constant(size) if isinstance(size, int) else size, 1)
    identity = emitter.cast(emitter.Equal(emitter.Unsqueeze(places, [1]), places), dtype)
    series = emitter.Add(emitter.Mul(small, 1 / _DEGREE), identity)
    for power in range(_DEGREE - 1, 0, -1):
        series = emitter.Add(emitter.Mul(emitter.MatMul(small, series), 1 / power), identity)
    most = emitter.ReduceMax(emitter.cast(halvings, ir.DataType.INT64), keepdims=0)

    def square(inner: Emitter, index: Value, state: Sequence[Value]) -> Sequence[Value]:
        is_halved = inner.Less(inner.cast(index, dtype), halvings)
        return [inner.Where(is_halved, inner.MatMul(state[0], state[0]), state[0])]

    return counted_loop(emitter, most, [series], square)[0]
