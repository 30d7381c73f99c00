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
from onnx_torchlib import Op, translator

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


@translator("aten::sum")
def sum_(op: Op, self: Value, dtype: ir.DataType | None = None) -> Value:
    """sum(Tensor self, *, ScalarType? dtype=None) -> Tensor"""
    return sum_dim(op, self, None, dtype=dtype)


@translator("aten::sum.dim_IntList")
def sum_dim(
    op: Op,
    self: Value,
    dim: Sequence[int] | None,
    keepdim: bool = False,
    dtype: ir.DataType | None = None,
) -> Value:
    """sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"""
    return sum_over(op, self, axes_of(op, self, dim), keepdims=keepdim, dtype=dtype)


@translator("aten::mean")
def mean(op: Op, self: Value, dtype: ir.DataType | None = None) -> Value:
    """mean(Tensor self, *, ScalarType? dtype=None) -> Tensor"""
    return mean_dim(op, self, None, dtype=dtype)


@translator("aten::mean.dim")
def mean_dim(
    op: Op,
    self: Value,
    dim: Sequence[int] | None,
    keepdim: bool = False,
    dtype: ir.DataType | None = None,
) -> Value:
    """mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"""
    value = self if dtype is None else op.cast(self, dtype)
    axes = axes_of(op, value, dim)
    return mean_over(op, value, axes, keepdims=keepdim) if axes else value


@translator("aten::prod")
def prod(op: Op, self: Value, dtype: ir.DataType | None = None) -> Value:
    """prod(Tensor self, *, ScalarType? dtype=None) -> Tensor"""
    return _product(op, self, axes_of(op, self, None), keepdim=False, dtype=dtype)


@translator("aten::prod.dim_int")
def prod_dim(op: Op, self: Value, dim: int, keepdim: bool = False, dtype: ir.DataType | None = None) -> Value:
    """prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"""
    return _product(op, self, axes_of(op, self, [dim]), keepdim=keepdim, dtype=dtype)


def _product(op: Op, value: Value, axes: Sequence[int], *, keepdim: bool, dtype: ir.DataType | None) -> Value:
    value = op.cast(value, accumulated(op, value, dtype))
    return op.ReduceProd(value, axes, keepdims=int(keepdim)) if axes else value


@translator("aten::amax")
def amax(op: Op, self: Value, dim: Sequence[int] = (), keepdim: bool = False) -> Value:
    """amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor"""
    return extremum_over(op, self, axes_of(op, self, dim), keepdims=keepdim, largest=True)


@translator("aten::amin")
def amin(op: Op, self: Value, dim: Sequence[int] = (), keepdim: bool = False) -> Value:
    """amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor"""
    return extremum_over(op, self, axes_of(op, self, dim), keepdims=keepdim, largest=False)


@translator("aten::aminmax")
def aminmax(op: Op, self: Value, dim: int | None = None, keepdim: bool = False) -> tuple[Value, Value]:
    """aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)"""
    axes = [] if dim is None else [dim]
    return amin(op, self, axes, keepdim), amax(op, self, axes, keepdim)


@translator("aten::max")
def max_(op: Op, self: Value) -> Value:
    """max(Tensor self) -> Tensor"""
    return amax(op, self)


@translator("aten::min")
def min_(op: Op, self: Value) -> Value:
    """min(Tensor self) -> Tensor"""
    return amin(op, self)


@translator("aten::max.dim")
def max_dim(op: Op, self: Value, dim: int, keepdim: bool = False) -> tuple[Value, Value]:
    """max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)"""
    return amax(op, self, [dim], keepdim), argmax(op, self, dim, keepdim)


@translator("aten::min.dim")
def min_dim(op: Op, self: Value, dim: int, keepdim: bool = False) -> tuple[Value, Value]:
    """min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)"""
    return amin(op, self, [dim], keepdim), argmin(op, self, dim, keepdim)


@translator("aten::argmax")
def argmax(op: Op, self: Value, dim: int | None = None, keepdim: bool = False) -> Value:
    """argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor"""
    return position_of_extremum(op, self, dim, keepdims=keepdim, largest=True)


@translator("aten::argmin")
def argmin(op: Op, self: Value, dim: int | None = None, keepdim: bool = False) -> Value:
    """argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor"""
    return position_of_extremum(op, self, dim, keepdims=keepdim, largest=False)


@translator("aten::any")
def any_(op: Op, self: Value) -> Value:
    """any(Tensor self) -> Tensor"""
    return any_dims(op, self, None)


@translator("aten::any.dim")
def any_dim(op: Op, self: Value, dim: int, keepdim: bool = False) -> Value:
    """any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor"""
    return any_dims(op, self, [dim], keepdim)


@translator("aten::any.dims")
def any_dims(op: Op, self: Value, dim: Sequence[int] | None = None, keepdim: bool = False) -> Value:
    """any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor"""
    count = count_nonzero_over(op, self, _axes_or_none(op, self, dim), keepdims=keepdim)
    return _truth(op, self, op.cast(count, ir.DataType.BOOL))


@translator("aten::all")
def all_(op: Op, self: Value) -> Value:
    """all(Tensor self) -> Tensor"""
    return all_dims(op, self, None)


@translator("aten::all.dim")
def all_dim(op: Op, self: Value, dim: int, keepdim: bool = False) -> Value:
    """all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor"""
    return all_dims(op, self, [dim], keepdim)


@translator("aten::all.dims")
def all_dims(op: Op, self: Value, dim: Sequence[int] | None = None, keepdim: bool = False) -> Value:
    """all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor"""
    false = op.Not(op.cast(self, ir.DataType.BOOL))
    count = count_nonzero_over(op, false, _axes_or_none(op, self, dim), keepdims=keepdim)
    return _truth(op, self, op.Equal(count, 0))


def _axes_or_none(op: Op, value: Value, dim: Sequence[int] | None) -> Sequence[int]:
    """The axes of ``any`` and ``all``, which take an empty list for no axis, other than sums and means."""
    return () if dim is not None and not dim else axes_of(op, value, dim)


def _truth(op: Op, value: Value, found: Value) -> Value:
    """Torch answers in bool, and in uint8 for uint8."""
    return op.cast(found, ir.DataType.UINT8) if value.dtype == ir.DataType.UINT8 else found


@translator("aten::count_nonzero.dim_IntList", "aten::count_nonzero")
def count_nonzero(op: Op, self: Value, dim: Sequence[int] | None = None) -> Value:
    """count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor"""
    return count_nonzero_over(op, self, axes_of(op, self, dim), keepdims=False)


@translator("aten::logsumexp")
def logsumexp(op: Op, self: Value, dim: Sequence[int], keepdim: bool = False) -> Value:
    """logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor"""
    value = as_floating(op, self)
    axes = axes_of(op, value, dim)
    return op.ReduceLogSumExp(value, axes, keepdims=int(keepdim)) if axes else value
