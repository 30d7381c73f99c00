"""Reductions."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import (
    accumulated,
    as_floating,
    axes_of,
    count_nonzero_over,
    extremum_over,
    mean_over,
    position_of_extremum,
    sum_over,
)
from onnx_symbolics import SymbolicContext, symbolic

__all__ = [
    "all_",
    "all_dim",
    "all_dims",
    "amax",
    "amin",
    "aminmax",
    "any_",
    "any_dim",
    "any_dims",
    "argmax",
    "argmin",
    "count_nonzero",
    "logsumexp",
    "max_",
    "max_dim",
    "mean",
    "mean_dim",
    "min_",
    "min_dim",
    "prod",
    "prod_dim",
    "sum_",
    "sum_dim",
]


@symbolic("aten::sum")
def sum_(g: SymbolicContext, self: Value, dtype: ir.DataType | None = None) -> Value:
    """sum(Tensor self, *, ScalarType? dtype=None) -> Tensor"""
    return sum_dim(g, self, None, dtype=dtype)


@symbolic("aten::sum.dim_IntList")
def sum_dim(
    g: SymbolicContext,
    self: Value,
    dim: Sequence[int] | None,
    keepdim: bool = False,
    dtype: ir.DataType | None = None,
) -> Value:
    """sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"""
    return sum_over(g, self, axes_of(g, self, dim), keepdims=keepdim, dtype=dtype)


@symbolic("aten::mean")
def mean(g: SymbolicContext, self: Value, dtype: ir.DataType | None = None) -> Value:
    """mean(Tensor self, *, ScalarType? dtype=None) -> Tensor"""
    return mean_dim(g, self, None, dtype=dtype)


@symbolic("aten::mean.dim")
def mean_dim(
    g: SymbolicContext,
    self: Value,
    dim: Sequence[int] | None,
    keepdim: bool = False,
    dtype: ir.DataType | None = None,
) -> Value:
    """mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"""
    value = self if dtype is None else g.cast(self, dtype)
    axes = axes_of(g, value, dim)
    return mean_over(g, value, axes, keepdims=keepdim) if axes else value


@symbolic("aten::prod")
def prod(g: SymbolicContext, self: Value, dtype: ir.DataType | None = None) -> Value:
    """prod(Tensor self, *, ScalarType? dtype=None) -> Tensor"""
    return _product(g, self, axes_of(g, self, None), keepdim=False, dtype=dtype)


@symbolic("aten::prod.dim_int")
def prod_dim(
    g: SymbolicContext, self: Value, dim: int, keepdim: bool = False, dtype: ir.DataType | None = None
) -> Value:
    """prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"""
    return _product(g, self, axes_of(g, self, [dim]), keepdim=keepdim, dtype=dtype)


def _product(
    g: SymbolicContext, value: Value, axes: Sequence[int], *, keepdim: bool, dtype: ir.DataType | None
) -> Value:
    value = g.cast(value, accumulated(g, value, dtype))
    return g.ReduceProd(value, axes, keepdims=int(keepdim)) if axes else value


@symbolic("aten::amax")
def amax(g: SymbolicContext, self: Value, dim: Sequence[int] = (), keepdim: bool = False) -> Value:
    """amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor"""
    return extremum_over(g, self, axes_of(g, self, dim), keepdims=keepdim, largest=True)


@symbolic("aten::amin")
def amin(g: SymbolicContext, self: Value, dim: Sequence[int] = (), keepdim: bool = False) -> Value:
    """amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor"""
    return extremum_over(g, self, axes_of(g, self, dim), keepdims=keepdim, largest=False)


@symbolic("aten::aminmax")
def aminmax(
    g: SymbolicContext, self: Value, dim: int | None = None, keepdim: bool = False
) -> tuple[Value, Value]:
    """aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)"""
    axes = [] if dim is None else [dim]
    return amin(g, self, axes, keepdim), amax(g, self, axes, keepdim)


@symbolic("aten::max")
def max_(g: SymbolicContext, self: Value) -> Value:
    """max(Tensor self) -> Tensor"""
    return amax(g, self)


@symbolic("aten::min")
def min_(g: SymbolicContext, self: Value) -> Value:
    """min(Tensor self) -> Tensor"""
    return amin(g, self)


@symbolic("aten::max.dim")
def max_dim(g: SymbolicContext, self: Value, dim: int, keepdim: bool = False) -> tuple[Value, Value]:
    """max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)"""
    return amax(g, self, [dim], keepdim), argmax(g, self, dim, keepdim)


@symbolic("aten::min.dim")
def min_dim(g: SymbolicContext, self: Value, dim: int, keepdim: bool = False) -> tuple[Value, Value]:
    """min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)"""
    return amin(g, self, [dim], keepdim), argmin(g, self, dim, keepdim)


@symbolic("aten::argmax")
def argmax(g: SymbolicContext, self: Value, dim: int | None = None, keepdim: bool = False) -> Value:
    """argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor"""
    return position_of_extremum(g, self, dim, keepdims=keepdim, largest=True)


@symbolic("aten::argmin")
def argmin(g: SymbolicContext, self: Value, dim: int | None = None, keepdim: bool = False) -> Value:
    """argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor"""
    return position_of_extremum(g, self, dim, keepdims=keepdim, largest=False)


@symbolic("aten::any")
def any_(g: SymbolicContext, self: Value) -> Value:
    """any(Tensor self) -> Tensor"""
    return any_dims(g, self, None)


@symbolic("aten::any.dim")
def any_dim(g: SymbolicContext, self: Value, dim: int, keepdim: bool = False) -> Value:
    """any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor"""
    return any_dims(g, self, [dim], keepdim)


@symbolic("aten::any.dims")
def any_dims(
    g: SymbolicContext, self: Value, dim: Sequence[int] | None = None, keepdim: bool = False
) -> Value:
    """any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor"""
    count = count_nonzero_over(g, self, _axes_or_none(g, self, dim), keepdims=keepdim)
    return _truth(g, self, g.cast(count, ir.DataType.BOOL))


@symbolic("aten::all")
def all_(g: SymbolicContext, self: Value) -> Value:
    """all(Tensor self) -> Tensor"""
    return all_dims(g, self, None)


@symbolic("aten::all.dim")
def all_dim(g: SymbolicContext, self: Value, dim: int, keepdim: bool = False) -> Value:
    """all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor"""
    return all_dims(g, self, [dim], keepdim)


@symbolic("aten::all.dims")
def all_dims(
    g: SymbolicContext, self: Value, dim: Sequence[int] | None = None, keepdim: bool = False
) -> Value:
    """all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor"""
    false = g.Not(g.cast(self, ir.DataType.BOOL))
    count = count_nonzero_over(g, false, _axes_or_none(g, self, dim), keepdims=keepdim)
    return _truth(g, self, g.Equal(count, 0))


def _axes_or_none(g: SymbolicContext, value: Value, dim: Sequence[int] | None) -> Sequence[int]:
    """The axes of ``any`` and ``all``, which take an empty list for no axis, other than sums and means."""
    return () if dim is not None and not dim else axes_of(g, value, dim)


def _truth(g: SymbolicContext, value: Value, found: Value) -> Value:
    """Torch answers in bool, and in uint8 for uint8."""
    return g.cast(found, ir.DataType.UINT8) if value.dtype == ir.DataType.UINT8 else found


@symbolic("aten::count_nonzero.dim_IntList", "aten::count_nonzero")
def count_nonzero(g: SymbolicContext, self: Value, dim: Sequence[int] | None = None) -> Value:
    """count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor"""
    return count_nonzero_over(g, self, axes_of(g, self, dim), keepdims=False)


@symbolic("aten::logsumexp")
def logsumexp(g: SymbolicContext, self: Value, dim: Sequence[int], keepdim: bool = False) -> Value:
    """logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor"""
    value = as_floating(g, self)
    axes = axes_of(g, value, dim)
    return g.ReduceLogSumExp(value, axes, keepdims=int(keepdim)) if axes else value
