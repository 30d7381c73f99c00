"""Matrix products with an addend, in the dtype that torch scales and rounds them in."""

from __future__ import annotations

import numpy as np
import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit._division import opmath_dtype
from onnx_ir_capture.emit._dtypes import HALVES, dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._promotion import promote
from onnx_ir_capture.emit._shapes import rank_of

__all__ = ["affine", "batched_product_plus", "product_plus", "summed_product_plus", "vector_product_plus"]


def affine(emitter: Emitter, input: Value, weight: Value, bias: Value | None = None) -> Value:
    """``input`` times the transposed ``weight``, plus ``bias``."""
    if _floating(input.dtype) and rank_of(emitter, input) == 2 and rank_of(emitter, weight) == 2:
        return emitter.Gemm(input, weight, bias, transB=1)
    # A 1-d weight is a dot product with the input's last axis, which is what MatMul makes of it.
    factor = emitter.Transpose(weight, perm=[1, 0]) if rank_of(emitter, weight) == 2 else weight
    result = emitter.MatMul(input, factor)
    return result if bias is None else emitter.Add(result, bias)


def product_plus(
    emitter: Emitter, self: Value, mat1: Value, mat2: Value, beta: Scalar = 1, alpha: Scalar = 1
) -> Value:
    """``beta * self + alpha * mat1 @ mat2``."""
    factors = _gemm_factors(self.dtype, beta, alpha)
    if factors is None:
        return _combined(emitter, self, emitter.MatMul(mat1, mat2), beta, alpha)
    return emitter.Gemm(mat1, mat2, None if factors[0] == 0 else self, beta=factors[0], alpha=factors[1])


def vector_product_plus(
    emitter: Emitter, self: Value, mat: Value, vec: Value, beta: Scalar = 1, alpha: Scalar = 1
) -> Value:
    """``beta * self + alpha * mat @ vec``."""
    dtype = dtype_of(emitter, self)
    # Other than the products of matrices, torch's product with a vector rounds the factors to half precision.
    beta, alpha = _rounded(beta, dtype), _rounded(alpha, dtype)
    left, right = _factors(emitter, mat, vec, beta, alpha)
    return emitter.cast(_combined(emitter, self, emitter.MatMul(left, right), beta, alpha), dtype)


def batched_product_plus(
    emitter: Emitter, self: Value, batch1: Value, batch2: Value, beta: Scalar = 1, alpha: Scalar = 1
) -> Value:
    """``beta * self + alpha * batch1 @ batch2``, batch by batch."""
    left, right = _factors(emitter, batch1, batch2, beta, alpha)
    return emitter.cast(
        _combined(emitter, self, emitter.MatMul(left, right), beta, alpha), dtype_of(emitter, self)
    )


def summed_product_plus(
    emitter: Emitter, self: Value, batch1: Value, batch2: Value, beta: Scalar = 1, alpha: Scalar = 1
) -> Value:
    """``beta * self + alpha *`` the sum of the batches of ``batch1 @ batch2``."""
    left, right = _factors(emitter, batch1, batch2, beta, alpha)
    total = emitter.ReduceSum(emitter.MatMul(left, right), [0], keepdims=0)
    return emitter.cast(_combined(emitter, self, total, beta, alpha), dtype_of(emitter, self))


def _factors(emitter: Emitter, left: Value, right: Value, beta: Scalar, alpha: Scalar) -> tuple[Value, Value]:
    """The operands of a product: in torch's wider dtype where it is scaled before it is rounded."""
    if (_is_number(alpha, 1) and (_is_number(beta, 0) or _is_number(beta, 1))) or not _floating(left.dtype):
        return left, right
    wide = opmath_dtype(dtype_of(emitter, left))
    return emitter.cast(left, wide), emitter.cast(right, wide)


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


def _combined(emitter: Emitter, addend: Value, product: Value, beta: Scalar, alpha: Scalar) -> Value:
    """``beta * addend + alpha * product`` in the shape and the dtype of the product.

    With a ``beta`` of 0 torch does not read the addend, so that its infinities and NaNs do not spread.
    """
    if isinstance(beta, ir.Value):
        emitter.refuse("beta is computed at run time, and what it multiplies counts only where it is not 0")
    scaled = _scaled(emitter, product, alpha)
    return (
        scaled
        if beta == 0
        else emitter.Add(_scaled(emitter, emitter.cast(addend, dtype_of(emitter, product)), beta), scaled)
    )


def _scaled(emitter: Emitter, value: Value, factor: Scalar) -> Value:
    return (
        value if _is_number(factor, 1) else emitter.Mul(value, promote(emitter, factor, dtype=value.dtype)[0])
    )


def _is_number(factor: Scalar, number: int) -> bool:
    return not isinstance(factor, ir.Value) and factor == number
