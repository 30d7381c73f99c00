"""Normalisations and norms."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir
from onnx_ir_capture.contracts import Scalar, SymInt, Value
from onnx_ir_capture.emit import size_vector

from onnx_torchlib import Op, translator

__all__ = ["layer_norm", "linalg_vector_norm"]


@translator("aten::layer_norm")
def layer_norm(
    op: Op,
    input: Value,
    normalized_shape: Sequence[SymInt],
    weight: Value | None = None,
    bias: Value | None = None,
    eps: float = 1e-05,
    cudnn_enable: bool = True,
) -> Value:
    """layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, bool cudnn_enable=True) -> Tensor"""
    if weight is None:
        one = op.constant([1], input.dtype or ir.DataType.FLOAT)
        weight = op.Expand(one, size_vector(op, normalized_shape))
    return op.LayerNormalization(input, weight, bias, axis=-len(normalized_shape), epsilon=eps)


@translator("aten::linalg_vector_norm")
def linalg_vector_norm(
    op: Op,
    self: Value,
    ord: Scalar = 2,
    dim: Sequence[int] | None = None,
    keepdim: bool = False,
    dtype: ir.DataType | None = None,
) -> Value:
    """linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"""
    value = self if dtype is None else op.cast(self, dtype)
    if ord == 2:
        return op.ReduceL2(value, dim or None, keepdims=int(keepdim))
    if ord == 1:
        return op.ReduceL1(value, dim or None, keepdims=int(keepdim))
    if ord == float("inf"):
        return op.ReduceMax(op.Abs(value), dim or None, keepdims=int(keepdim))
    if ord == float("-inf"):
        return op.ReduceMin(op.Abs(value), dim or None, keepdims=int(keepdim))
    if isinstance(ord, int | float) and ord != 0:
        power = op.Pow(op.Abs(value), float(ord))
        return op.Pow(op.ReduceSum(power, dim or None, keepdims=int(keepdim)), 1.0 / ord)
    op.refuse(f"the norm of order {ord} is not translated")
