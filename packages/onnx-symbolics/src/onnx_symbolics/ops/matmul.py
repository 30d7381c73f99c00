"""Matrix products."""

from __future__ import annotations

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit import (
    affine,
    batched_product_plus,
    product_plus,
    promote,
    summed_product_plus,
    vector_product_plus,
)
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["addbmm", "addmm", "addmv", "baddbmm", "dot", "linear", "matmul", "mv", "outer"]


@symbolic("aten::linear")
def linear(g: SymbolicContext, input: Value, weight: Value, bias: Value | None = None) -> Value:
    """linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor"""
    return affine(g, input, weight, bias)


@symbolic("aten::matmul", "aten::mm", "aten::bmm")
def matmul(g: SymbolicContext, self: Value, other: Value) -> Value:
    """matmul(Tensor self, Tensor other) -> Tensor"""
    return g.MatMul(self, other)


@symbolic("aten::mv")
def mv(g: SymbolicContext, self: Value, vec: Value) -> Value:
    """mv(Tensor self, Tensor vec) -> Tensor"""
    return g.MatMul(self, vec)


@symbolic("aten::dot")
def dot(g: SymbolicContext, self: Value, tensor: Value) -> Value:
    """dot(Tensor self, Tensor tensor) -> Tensor"""
    return g.MatMul(self, tensor)


@symbolic("aten::outer", "aten::ger")
def outer(g: SymbolicContext, self: Value, vec2: Value) -> Value:
    """outer(Tensor self, Tensor vec2) -> Tensor"""
    left, right = promote(g, self, vec2)
    return g.Mul(g.Unsqueeze(left, [1]), right)


@symbolic("aten::addmm")
def addmm(
    g: SymbolicContext, self: Value, mat1: Value, mat2: Value, beta: Scalar = 1, alpha: Scalar = 1
) -> Value:
    """addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"""
    return product_plus(g, self, mat1, mat2, beta, alpha)


@symbolic("aten::addmv")
def addmv(
    g: SymbolicContext, self: Value, mat: Value, vec: Value, beta: Scalar = 1, alpha: Scalar = 1
) -> Value:
    """addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor"""
    return vector_product_plus(g, self, mat, vec, beta, alpha)


@symbolic("aten::baddbmm")
def baddbmm(
    g: SymbolicContext, self: Value, batch1: Value, batch2: Value, beta: Scalar = 1, alpha: Scalar = 1
) -> Value:
    """baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"""
    return batched_product_plus(g, self, batch1, batch2, beta, alpha)


@symbolic("aten::addbmm")
def addbmm(
    g: SymbolicContext, self: Value, batch1: Value, batch2: Value, beta: Scalar = 1, alpha: Scalar = 1
) -> Value:
    """addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"""
    return summed_product_plus(g, self, batch1, batch2, beta, alpha)
