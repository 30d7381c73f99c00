"""Running totals and extrema."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import running_extremum, running_log_sum, running_product, running_sum
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["cummax", "cummin", "cumprod", "cumsum", "logcumsumexp"]


@symbolic("aten::cumsum", since=11)
def cumsum(g: SymbolicContext, self: Value, dim: int, dtype: ir.DataType | None = None) -> Value:
    """cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor"""
    return running_sum(g, self, dim, dtype)


@symbolic("aten::cumprod")
def cumprod(g: SymbolicContext, self: Value, dim: int, dtype: ir.DataType | None = None) -> Value:
    """cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor"""
    return running_product(g, self, dim, dtype)


@symbolic("aten::cummax")
def cummax(g: SymbolicContext, self: Value, dim: int) -> tuple[Value, Value]:
    """cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)"""
    return running_extremum(g, self, dim, largest=True)


@symbolic("aten::cummin")
def cummin(g: SymbolicContext, self: Value, dim: int) -> tuple[Value, Value]:
    """cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)"""
    return running_extremum(g, self, dim, largest=False)


@symbolic("aten::logcumsumexp")
def logcumsumexp(g: SymbolicContext, self: Value, dim: int) -> Value:
    """logcumsumexp(Tensor self, int dim) -> Tensor"""
    return running_log_sum(g, self, dim)
