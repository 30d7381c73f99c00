"""Sums of products over named axes."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import contraction, einsum_of, promote, rank_of
from onnx_torchlib import Op, translator

__all__ = ["einsum", "inner", "tensordot"]


@translator("aten::einsum")
def einsum(op: Op, equation: str, tensors: Sequence[Value], path: Sequence[int] | None = None) -> Value:
    """einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor"""
    return einsum_of(op, equation, tensors)


@translator("aten::tensordot")
def tensordot(
    op: Op, self: Value, other: Value, dims_self: Sequence[int], dims_other: Sequence[int]
) -> Value:
    """tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor"""
    return contraction(op, self, other, dims_self, dims_other)


@translator("aten::inner")
def inner(op: Op, self: Value, other: Value) -> Value:
    """inner(Tensor self, Tensor other) -> Tensor"""
    if rank_of(op, self) == 0 or rank_of(op, other) == 0:
        return op.Mul(*promote(op, self, other))
    return contraction(op, self, other, [-1], [-1])
