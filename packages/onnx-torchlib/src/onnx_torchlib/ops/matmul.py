"""Matrix products."""

from __future__ import annotations

import numpy as np
import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit import opmath_dtype, promote, rank_of
from onnx_torchlib import Op, translator
from onnx_torchlib._dtypes import HALVES, dtype_of

__all__ = ["addbmm", "addmm", "addmv", "baddbmm", "dot", "linear", "matmul", "mv", "outer"]


@translator("aten::linear")
def linear(op: Op, input: Value, weight: Value, bias: Value | None = None) -> Value:
    """linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor"""
    if _floating(input.dtype) and rank_of(op, input) == 2 and rank_of(op, weight) == 2:
        return op.Gemm(input, weight, bias, transB=1)
    # A 1-d weight is a dot product with the input's last axis, which is what MatMul makes of it.
    factor = op.Transpose(weight, perm=[1, 0]) if rank_of(op, weight) == 2 else weight
    product = op.MatMul(input, factor)
    return product if bias is None else op.Add(product, bias)


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
    factors = _gemm_factors(self.dtype, beta, alpha)
    if factors is None:
        return _combined(op, self, op.MatMul(mat1, mat2), beta, alpha)
    return op.Gemm(mat1, mat2, None if factors[0] == 0 else self, beta=factors[0], alpha=factors[1])


@translator("aten::addmv")
def addmv(op: Op, self: Value, mat: Value, vec: Value, beta: Scalar = 1, alpha: Scalar = 1) -> Value:
    """addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor"""
    dtype = dtype_of(op, self)
    # Other than the products of matrices, torch's product with a vector rounds the factors to half precision.
    beta, alpha = _rounded(beta, dtype), _rounded(alpha, dtype)
    left, right = _factors(op, mat, vec, beta, alpha)
    return op.cast(_combined(op, self, op.MatMul(left, right), beta, alpha), dtype)


@translator("aten::baddbmm")
def baddbmm(op: Op, self: Value, batch1: Value, batch2: Value, beta: Scalar = 1, alpha: Scalar = 1) -> Value:
    """baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"""
    left, right = _factors(op, batch1, batch2, beta, alpha)
    return op.cast(_combined(op, self, op.MatMul(left, right), beta, alpha), dtype_of(op, self))


@translator("aten::addbmm")
def addbmm(op: Op, self: Value, batch1: Value, batch2: Value, beta: Scalar = 1, alpha: Scalar = 1) -> Value:
    """addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"""
    left, right = _factors(op, batch1, batch2, beta, alpha)
    total = op.ReduceSum(op.MatMul(left, right), [0], keepdims=0)
    return op.cast(_combined(op, self, total, beta, alpha), dtype_of(op, self))


def _factors(op: Op, left: Value, right: Value, beta: Scalar, alpha: Scalar) -> tuple[Value, Value]:
    """The operands of a product: in torch's wider dtype where it is scaled before it is rounded."""
    if (_is_number(alpha, 1) and (_is_number(beta, 0) or _is_number(beta, 1))) or not _floating(left.dtype):
        return left, right
    wide = opmath_dtype(dtype_of(op, left))
    return op.cast(left, wide), op.cast(right, wide)


def _rounded(factor: Scalar, dtype: ir.DataType) -> Scalar:
    if isinstance(factor, ir.Value) or dtype not in HALVES:
        return factor
    return float(np.asarray(factor).astype(dtype.numpy()))


def _gemm_factors(dtype: ir.DataType | None, beta: Scalar, alpha: Scalar) -> tuple[float, float] | None:
    """``beta`` and ``alpha`` as attributes of Gemm, which are float32; None where they would be changed."""
    if not _floating(dtype):
        return None
    if not isinstance(beta, int | float) or not isinstance(alpha, int | float):
        return None
    if dtype == ir.DataType.DOUBLE and any(float(np.float32(factor)) != factor for factor in (beta, alpha)):
        return None
    return float(beta), float(alpha)


def _floating(dtype: ir.DataType | None) -> bool:
    """Whether Gemm is at hand: ONNX Runtime has none for integers."""
    return dtype is not None and dtype.is_floating_point()


def _combined(op: Op, addend: Value, product: Value, beta: Scalar, alpha: Scalar) -> Value:
    """``beta * addend + alpha * product`` in the shape and the dtype of the product.

    With a ``beta`` of 0 torch does not read the addend, so that its infinities and NaNs do not spread.
    """
    if isinstance(beta, ir.Value):
        op.refuse("beta is computed at run time, and what it multiplies counts only where it is not 0")
    scaled = _scaled(op, product, alpha)
    return scaled if beta == 0 else op.Add(_scaled(op, op.cast(addend, dtype_of(op, product)), beta), scaled)


def _scaled(op: Op, value: Value, factor: Scalar) -> Value:
    return value if _is_number(factor, 1) else op.Mul(value, promote(op, factor, dtype=value.dtype)[0])


def _is_number(factor: Scalar, number: int) -> bool:
    return not isinstance(factor, ir.Value) and factor == number
