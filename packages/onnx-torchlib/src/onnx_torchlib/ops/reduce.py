"""Reductions."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir
from onnx_ir_capture.contracts import Value

from onnx_torchlib import Op, translator

__all__ = ["sum_dim"]


def _accumulated(dtype: ir.DataType | None, given: ir.DataType | None) -> ir.DataType:
    """The dtype in which torch sums: int64 for integers and bools, unless one is asked for."""
    if given is not None:
        return given
    if dtype is not None and dtype.is_floating_point():
        return dtype
    return ir.DataType.INT64


@translator("aten::sum.dim_IntList")
def sum_dim(
    op: Op,
    self: Value,
    dim: Sequence[int] | None = None,
    keepdim: bool = False,
    dtype: ir.DataType | None = None,
) -> Value:
    """sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"""
    value = op.cast(self, _accumulated(self.dtype, dtype))
    return op.ReduceSum(value, dim or None, keepdims=int(keepdim))
