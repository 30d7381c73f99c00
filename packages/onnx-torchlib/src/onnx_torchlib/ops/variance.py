"""Variance, standard deviation and covariance."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit import (
    as_floating,
    axes_of,
    diagonal_of,
    dimension,
    dtype_of,
    rank_of,
    variance_over,
)
from onnx_torchlib import Op, translator

__all__ = [
    "corrcoef",
    "cov",
    "std",
    "std_correction",
    "std_dim",
    "std_mean",
    "std_mean_correction",
    "std_mean_dim",
    "var",
    "var_correction",
    "var_dim",
    "var_mean",
    "var_mean_correction",
    "var_mean_dim",
]


@translator("aten::var")
def var(op: Op, self: Value, unbiased: bool = True) -> Value:
    """var(Tensor self, bool unbiased=True) -> Tensor"""
    return var_correction(op, self, None, int(unbiased))


@translator("aten::var.dim")
def var_dim(
    op: Op, self: Value, dim: Sequence[int] | None, unbiased: bool = True, keepdim: bool = False
) -> Value:
    """var.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor"""
    return var_correction(op, self, dim, int(unbiased), keepdim)


@translator("aten::var.correction")
def var_correction(
    op: Op,
    self: Value,
    dim: Sequence[int] | None = None,
    correction: Scalar | None = None,
    keepdim: bool = False,
) -> Value:
    """var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor"""
    return var_mean_correction(op, self, dim, correction, keepdim)[0]


@translator("aten::std")
def std(op: Op, self: Value, unbiased: bool = True) -> Value:
    """std(Tensor self, bool unbiased=True) -> Tensor"""
    return std_correction(op, self, None, int(unbiased))


@translator("aten::std.dim")
def std_dim(
    op: Op, self: Value, dim: Sequence[int] | None, unbiased: bool = True, keepdim: bool = False
) -> Value:
    """std.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor"""
    return std_correction(op, self, dim, int(unbiased), keepdim)


@translator("aten::std.correction")
def std_correction(
    op: Op,
    self: Value,
    dim: Sequence[int] | None = None,
    correction: Scalar | None = None,
    keepdim: bool = False,
) -> Value:
    """std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor"""
    return op.Sqrt(var_correction(op, self, dim, correction, keepdim))


@translator("aten::var_mean.correction")
def var_mean_correction(
    op: Op,
    self: Value,
    dim: Sequence[int] | None = None,
    correction: Scalar | None = None,
    keepdim: bool = False,
) -> tuple[Value, Value]:
    """var_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor)"""
    return variance_over(op, self, axes_of(op, self, dim), correction, keepdims=keepdim)


@translator("aten::std_mean.correction")
def std_mean_correction(
    op: Op,
    self: Value,
    dim: Sequence[int] | None = None,
    correction: Scalar | None = None,
    keepdim: bool = False,
) -> tuple[Value, Value]:
    """std_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor)"""
    variance, mean = var_mean_correction(op, self, dim, correction, keepdim)
    return op.Sqrt(variance), mean


@translator("aten::var_mean")
def var_mean(op: Op, self: Value, unbiased: bool = True) -> tuple[Value, Value]:
    """var_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)"""
    return var_mean_correction(op, self, None, int(unbiased))


@translator("aten::var_mean.dim")
def var_mean_dim(
    op: Op, self: Value, dim: Sequence[int] | None, unbiased: bool = True, keepdim: bool = False
) -> tuple[Value, Value]:
    """var_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)"""
    return var_mean_correction(op, self, dim, int(unbiased), keepdim)


@translator("aten::std_mean")
def std_mean(op: Op, self: Value, unbiased: bool = True) -> tuple[Value, Value]:
    """std_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)"""
    return std_mean_correction(op, self, None, int(unbiased))


@translator("aten::std_mean.dim")
def std_mean_dim(
    op: Op, self: Value, dim: Sequence[int] | None, unbiased: bool = True, keepdim: bool = False
) -> tuple[Value, Value]:
    """std_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)"""
    return std_mean_correction(op, self, dim, int(unbiased), keepdim)


@translator("aten::cov")
def cov(
    op: Op,
    self: Value,
    correction: int = 1,
    fweights: Value | None = None,
    aweights: Value | None = None,
) -> Value:
    """cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> Tensor"""
    rank, wanted, shape = rank_of(op, self), op.expected_shape(), self.shape
    table = self if rank == 2 else op.Reshape(self, [1, -1])
    dtype = op.expected_dtype() or dtype_of(op, as_floating(op, self))
    given = [op.cast(value, dtype) for value in (fweights, aweights) if value is not None]
    importance = None if aweights is None else given[-1]
    matrix = _covariance(op, op.cast(table, dtype), correction, given, importance)
    # One variable has a number, not a matrix.
    is_number = len(wanted) == 0 if wanted is not None else rank < 2 or (shape is not None and shape[0] == 1)
    return op.Reshape(matrix, op.constant([])) if is_number else matrix


def _covariance(
    op: Op, table: Value, correction: int, given: Sequence[Value], importance: Value | None
) -> Value:
    """The matrix for variables in rows, whose columns count as often as the product of ``given`` says."""
    if not given:
        size = dimension(op, table, 1)
        total = op.cast(op.constant(size) if isinstance(size, int) else size, dtype_of(op, table))
        weights = None
    else:
        weights = given[0] if len(given) == 1 else op.Mul(given[0], given[1])
        total = op.ReduceSum(weights, keepdims=0)
    lost: Value | int = correction
    if weights is not None and importance is not None and correction:
        squares = op.ReduceSum(op.Mul(weights, importance), keepdims=0)
        lost = op.Div(op.Mul(squares, correction), total)
    sums = op.ReduceSum(table if weights is None else op.Mul(table, weights), [1], keepdims=1)
    apart = op.Sub(table, op.Div(sums, total))
    products = op.MatMul(
        apart, op.Transpose(apart if weights is None else op.Mul(apart, weights), perm=[1, 0])
    )
    freedom = op.Sub(total, lost)
    return op.Div(products, op.Where(op.LessOrEqual(freedom, 0), 0, freedom))


@translator("aten::corrcoef")
def corrcoef(op: Op, self: Value) -> Value:
    """corrcoef(Tensor self) -> Tensor"""
    matrix = cov(op, self)
    wanted = op.expected_shape()
    if len(matrix.shape or () if wanted is None else wanted) == 0:
        return op.Div(matrix, matrix)
    deviations = op.Sqrt(diagonal_of(op, matrix, 0, 0, 1))
    scaled = op.Div(op.Div(matrix, op.Unsqueeze(deviations, [1])), op.Unsqueeze(deviations, [0]))
    return op.Clip(scaled, -1, 1)
