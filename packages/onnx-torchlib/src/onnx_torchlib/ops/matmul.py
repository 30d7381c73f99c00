"""Matrix products."""

from __future__ import annotations

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit import promote, rank_of

from onnx_torchlib import Op, translator

__all__ = ["addmm", "linear", "matmul"]


@translator("aten::linear")
def linear(op: Op, input: Value, weight: Value, bias: Value | None = None) -> Value:
    """linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor"""
    if rank_of(op, input) == 2 and rank_of(op, weight) == 2:
        return op.Gemm(input, weight, bias, transB=1)
    # A 1-d weight is a dot product with the input's last axis, which is what MatMul makes of it.
    factor = op.Transpose(weight, perm=[1, 0]) if rank_of(op, weight) == 2 else weight
    product = op.MatMul(input, factor)
    return product if bias is None else op.Add(product, bias)


@translator("aten::matmul", "aten::mm", "aten::bmm")
def matmul(op: Op, self: Value, other: Value) -> Value:
    """matmul(Tensor self, Tensor other) -> Tensor"""
    return op.MatMul(self, other)


@translator("aten::addmm")
def addmm(op: Op, self: Value, mat1: Value, mat2: Value, beta: Scalar = 1, alpha: Scalar = 1) -> Value:
    """addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"""
    if isinstance(beta, int | float) and isinstance(alpha, int | float) and _floating(self):
        return op.Gemm(mat1, mat2, self, beta=float(beta), alpha=float(alpha))
    (scale,), (offset_scale,) = promote(op, alpha, dtype=self.dtype), promote(op, beta, dtype=self.dtype)
    return op.Add(op.Mul(op.MatMul(mat1, mat2), scale), op.Mul(self, offset_scale))


def _floating(value: Value) -> bool:
    return value.dtype is not None and value.dtype.is_floating_point()
