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
from onnx_torchlib import Op, translator

__all__ = ["addbmm", "addmm", "addmv", "baddbmm", "dot", "linear", "matmul", "mv", "outer"]


@translator("aten::linear")
def linear(op: Op, input: Value, weight: Value, bias: Value | None = None) -> Value:
    """linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor"""
    return affine(op, input, weight, bias)


@translator("aten::matmul", "aten::mm", "aten::bmm")
def matmul(op: Op, self: Value, other: Value) -> Value:
    """matmul(Tensor self, Tensor other) -> Tensor"""
    return op.MatMul(self, other)


@translator("aten::mv")
def mv(op: Op, self: Value, vec: Value) -> Value:
    """mv(Tensor self, Tensor vec) -> Tensor"""
    return op.MatMul(self, vec)


@translator("aten::dot")
def dot(op: Op, self: Value, tensor: Value) -> Value:
    """dot(Tensor self, Tensor tensor) -> Tensor"""
    return op.MatMul(self, tensor)


@translator("aten::outer", "aten::ger")
def outer(op: Op, self: Value, vec2: Value) -> Value:
    """outer(Tensor self, Tensor vec2) -> Tensor"""
    left, right = promote(op, self, vec2)
    return op.Mul(op.Unsqueeze(left, [1]), right)


@translator("aten::addmm")
def addmm(op: Op, self: Value, mat1: Value, mat2: Value, beta: Scalar = 1, alpha: Scalar = 1) -> Value:
    """addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"""
    return product_plus(op, self, mat1, mat2, beta, alpha)


@translator("aten::addmv")
def addmv(op: Op, self: Value, mat: Value, vec: Value, beta: Scalar = 1, alpha: Scalar = 1) -> Value:
    """addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor"""
    return vector_product_plus(op, self, mat, vec, beta, alpha)


@translator("aten::baddbmm")
def baddbmm(op: Op, self: Value, batch1: Value, batch2: Value, beta: Scalar = 1, alpha: Scalar = 1) -> Value:
    """baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"""
    return batched_product_plus(op, self, batch1, batch2, beta, alpha)


@translator("aten::addbmm")
def addbmm(op: Op, self: Value, batch1: Value, batch2: Value, beta: Scalar = 1, alpha: Scalar = 1) -> Value:
    """addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"""
    return summed_product_plus(op, self, batch1, batch2, beta, alpha)
