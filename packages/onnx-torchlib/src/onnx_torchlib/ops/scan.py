"""Running totals and extrema."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import running_extremum, running_log_sum, running_product, running_sum
from onnx_torchlib import Op, translator

__all__ = ["cummax", "cummin", "cumprod", "cumsum", "logcumsumexp"]


@translator("aten::cumsum")
def cumsum(op: Op, self: Value, dim: int, dtype: ir.DataType | None = None) -> Value:
    """cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor"""
    return running_sum(op, self, dim, dtype)


@translator("aten::cumprod")
def cumprod(op: Op, self: Value, dim: int, dtype: ir.DataType | None = None) -> Value:
    """cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor"""
    return running_product(op, self, dim, dtype)


@translator("aten::cummax")
def cummax(op: Op, self: Value, dim: int) -> tuple[Value, Value]:
    """cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)"""
    return running_extremum(op, self, dim, largest=True)


@translator("aten::cummin")
def cummin(op: Op, self: Value, dim: int) -> tuple[Value, Value]:
    """cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)"""
    return running_extremum(op, self, dim, largest=False)


@translator("aten::logcumsumexp")
def logcumsumexp(op: Op, self: Value, dim: int) -> Value:
    """logcumsumexp(Tensor self, int dim) -> Tensor"""
    return running_log_sum(op, self, dim)
