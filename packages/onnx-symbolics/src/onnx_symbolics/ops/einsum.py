"""Sums of products over named axes."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import contraction, einsum_of, promote, rank_of
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["einsum_12", "inner_12", "tensordot_12"]


@symbolic("aten::einsum", since=12)
def einsum_12(
    g: SymbolicContext, equation: str, tensors: Sequence[Value], path: Sequence[int] | None = None
) -> Value:
    """einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor"""
    return einsum_of(g, equation, tensors)


@symbolic("aten::tensordot", since=12)
def tensordot_12(
    g: SymbolicContext, self: Value, other: Value, dims_self: Sequence[int], dims_other: Sequence[int]
) -> Value:
    """tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor"""
    return contraction(g, self, other, dims_self, dims_other)


@symbolic("aten::inner", since=12)
def inner_12(g: SymbolicContext, self: Value, other: Value) -> Value:
    """inner(Tensor self, Tensor other) -> Tensor"""
    if rank_of(g, self) == 0 or rank_of(g, other) == 0:
        return g.Mul(*promote(g, self, other))
    return contraction(g, self, other, [-1], [-1])
