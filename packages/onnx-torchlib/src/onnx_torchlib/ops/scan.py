"""Running totals."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import rank_of
from onnx_torchlib import Op, translator
from onnx_torchlib._dtypes import accumulated

__all__ = ["cumprod", "cumsum"]


@translator("aten::cumsum")
def cumsum(op: Op, self: Value, dim: int, dtype: ir.DataType | None = None) -> Value:
    """cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor"""
    value = op.cast(self, accumulated(op, self, dtype))
    return op.CumSum(value, op.constant(dim)) if rank_of(op, value) else value


@translator("aten::cumprod")
def cumprod(op: Op, self: Value, dim: int, dtype: ir.DataType | None = None) -> Value:
    """cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor"""
    value = op.cast(self, accumulated(op, self, dtype))
    return op.CumProd(value, op.constant(dim)) if rank_of(op, value) else value
