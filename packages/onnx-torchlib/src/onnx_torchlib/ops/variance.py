"""Variance, standard deviation and covariance."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit import axes_of, correlation, covariance, variance_over
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
    return covariance(op, self, correction, fweights, aweights)


@translator("aten::corrcoef")
def corrcoef(op: Op, self: Value) -> Value:
    """corrcoef(Tensor self) -> Tensor"""
    return correlation(op, self)
