"""Variance and standard deviation."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit import axes_of, correlation, covariance, variance_over
from onnx_symbolics import SymbolicContext, symbolic

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


@symbolic("aten::var")
def var(g: SymbolicContext, self: Value, unbiased: bool = True) -> Value:
    """var(Tensor self, bool unbiased=True) -> Tensor"""
    return var_correction(g, self, None, int(unbiased))


@symbolic("aten::var.dim")
def var_dim(
    g: SymbolicContext, self: Value, dim: Sequence[int] | None, unbiased: bool = True, keepdim: bool = False
) -> Value:
    """var.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor"""
    return var_correction(g, self, dim, int(unbiased), keepdim)


@symbolic("aten::var.correction")
def var_correction(
    g: SymbolicContext,
    self: Value,
    dim: Sequence[int] | None = None,
    correction: Scalar | None = None,
    keepdim: bool = False,
) -> Value:
    """var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor"""
    return var_mean_correction(g, self, dim, correction, keepdim)[0]


@symbolic("aten::std")
def std(g: SymbolicContext, self: Value, unbiased: bool = True) -> Value:
    """std(Tensor self, bool unbiased=True) -> Tensor"""
    return std_correction(g, self, None, int(unbiased))


@symbolic("aten::std.dim")
def std_dim(
    g: SymbolicContext, self: Value, dim: Sequence[int] | None, unbiased: bool = True, keepdim: bool = False
) -> Value:
    """std.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor"""
    return std_correction(g, self, dim, int(unbiased), keepdim)


@symbolic("aten::std.correction")
def std_correction(
    g: SymbolicContext,
    self: Value,
    dim: Sequence[int] | None = None,
    correction: Scalar | None = None,
    keepdim: bool = False,
) -> Value:
    """std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor"""
    return g.Sqrt(var_correction(g, self, dim, correction, keepdim))


@symbolic("aten::var_mean.correction")
def var_mean_correction(
    g: SymbolicContext,
    self: Value,
    dim: Sequence[int] | None = None,
    correction: Scalar | None = None,
    keepdim: bool = False,
) -> tuple[Value, Value]:
    """var_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor)"""
    return variance_over(g, self, axes_of(g, self, dim), correction, keepdims=keepdim)


@symbolic("aten::std_mean.correction")
def std_mean_correction(
    g: SymbolicContext,
    self: Value,
    dim: Sequence[int] | None = None,
    correction: Scalar | None = None,
    keepdim: bool = False,
) -> tuple[Value, Value]:
    """std_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor)"""
    variance, mean = var_mean_correction(g, self, dim, correction, keepdim)
    return g.Sqrt(variance), mean


@symbolic("aten::var_mean")
def var_mean(g: SymbolicContext, self: Value, unbiased: bool = True) -> tuple[Value, Value]:
    """var_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)"""
    return var_mean_correction(g, self, None, int(unbiased))


@symbolic("aten::var_mean.dim")
def var_mean_dim(
    g: SymbolicContext, self: Value, dim: Sequence[int] | None, unbiased: bool = True, keepdim: bool = False
) -> tuple[Value, Value]:
    """var_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)"""
    return var_mean_correction(g, self, dim, int(unbiased), keepdim)


@symbolic("aten::std_mean")
def std_mean(g: SymbolicContext, self: Value, unbiased: bool = True) -> tuple[Value, Value]:
    """std_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)"""
    return std_mean_correction(g, self, None, int(unbiased))


@symbolic("aten::std_mean.dim")
def std_mean_dim(
    g: SymbolicContext, self: Value, dim: Sequence[int] | None, unbiased: bool = True, keepdim: bool = False
) -> tuple[Value, Value]:
    """std_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)"""
    return std_mean_correction(g, self, dim, int(unbiased), keepdim)


@symbolic("aten::cov")
def cov(
    g: SymbolicContext,
    self: Value,
    correction: int = 1,
    fweights: Value | None = None,
    aweights: Value | None = None,
) -> Value:
    """cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> Tensor"""
    return covariance(g, self, correction, fweights, aweights)


@symbolic("aten::corrcoef")
def corrcoef(g: SymbolicContext, self: Value) -> Value:
    """corrcoef(Tensor self) -> Tensor"""
    return correlation(g, self)
