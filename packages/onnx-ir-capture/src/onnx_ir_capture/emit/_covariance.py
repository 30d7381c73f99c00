"""Covariances and correlations."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit._diagonals import diagonal_of
from onnx_ir_capture.emit._dtypes import as_floating, dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._shapes import dimension, rank_of

__all__ = ["correlation", "covariance"]


def covariance(
    emitter: Emitter,
    data: Value,
    correction: int = 1,
    fweights: Value | None = None,
    aweights: Value | None = None,
) -> Value:
    """The covariances of variables in rows."""
    rank, wanted, shape = rank_of(emitter, data), emitter.expected_shape(), data.shape
    table = data if rank == 2 else emitter.Reshape(data, [1, -1])
    dtype = emitter.expected_dtype() or dtype_of(emitter, as_floating(emitter, data))
    given = [emitter.cast(value, dtype) for value in (fweights, aweights) if value is not None]
    importance = None if aweights is None else given[-1]
    matrix = _covariance(emitter, emitter.cast(table, dtype), correction, given, importance)
    # One variable has a number, not a matrix.
    is_number = len(wanted) == 0 if wanted is not None else rank < 2 or (shape is not None and shape[0] == 1)
    return emitter.Reshape(matrix, emitter.constant([])) if is_number else matrix


def _covariance(
    emitter: Emitter, table: Value, correction: int, given: Sequence[Value], importance: Value | None
) -> Value:
    """The matrix for variables in rows, whose columns count as often as the product of ``given`` says."""
    if not given:
        size = dimension(emitter, table, 1)
        total = emitter.cast(
            emitter.constant(size) if isinstance(size, int) else size, dtype_of(emitter, table)
        )
        weights = None
    else:
        weights = given[0] if len(given) == 1 else emitter.Mul(given[0], given[1])
        total = emitter.ReduceSum(weights, keepdims=0)
    lost: Value | int = correction
    if weights is not None and importance is not None and correction:
        squares = emitter.ReduceSum(emitter.Mul(weights, importance), keepdims=0)
        lost = emitter.Div(emitter.Mul(squares, correction), total)
    sums = emitter.ReduceSum(table if weights is None else emitter.Mul(table, weights), [1], keepdims=1)
    apart = emitter.Sub(table, emitter.Div(sums, total))
    products = emitter.MatMul(
        apart, emitter.Transpose(apart if weights is None else emitter.Mul(apart, weights), perm=[1, 0])
    )
    freedom = emitter.Sub(total, lost)
    return emitter.Div(products, emitter.Where(emitter.LessOrEqual(freedom, 0), 0, freedom))


def correlation(emitter: Emitter, value: Value) -> Value:
    """The coefficients of correlation of variables in rows."""
    matrix = covariance(emitter, value)
    wanted = emitter.expected_shape()
    if len(matrix.shape or () if wanted is None else wanted) == 0:
        return emitter.Div(matrix, matrix)
    deviations = emitter.Sqrt(diagonal_of(emitter, matrix, 0, 0, 1))
    scaled = emitter.Div(
        emitter.Div(matrix, emitter.Unsqueeze(deviations, [1])), emitter.Unsqueeze(deviations, [0])
    )
    return emitter.Clip(scaled, -1, 1)
