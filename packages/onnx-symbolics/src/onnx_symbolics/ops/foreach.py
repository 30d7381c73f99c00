"""Functions of lists of tensors: the function of each tensor alone."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, Value
from onnx_symbolics import SymbolicContext, symbolic
from onnx_symbolics.ops import arithmetic, compare, norm, power, unary

__all__ = [
    "foreach_abs",
    "foreach_add",
    "foreach_add_list",
    "foreach_add_scalars",
    "foreach_add_tensor",
    "foreach_addcdiv",
    "foreach_addcmul",
    "foreach_div",
    "foreach_div_list",
    "foreach_div_scalars",
    "foreach_div_tensor",
    "foreach_exp",
    "foreach_lerp",
    "foreach_log",
    "foreach_maximum",
    "foreach_maximum_list",
    "foreach_maximum_scalars",
    "foreach_minimum",
    "foreach_minimum_list",
    "foreach_minimum_scalars",
    "foreach_mul",
    "foreach_mul_list",
    "foreach_mul_scalars",
    "foreach_mul_tensor",
    "foreach_neg",
    "foreach_norm",
    "foreach_pow",
    "foreach_reciprocal",
    "foreach_rsqrt",
    "foreach_sigmoid",
    "foreach_sign",
    "foreach_sqrt",
    "foreach_sub",
    "foreach_sub_list",
    "foreach_sub_scalars",
    "foreach_tanh",
]


@symbolic("aten::_foreach_abs")
def foreach_abs(g: SymbolicContext, self: Sequence[Value]) -> Sequence[Value]:
    """_foreach_abs(Tensor[] self) -> Tensor[]"""
    return [unary.abs_(g, value) for value in self]


@symbolic("aten::_foreach_neg")
def foreach_neg(g: SymbolicContext, self: Sequence[Value]) -> Sequence[Value]:
    """_foreach_neg(Tensor[] self) -> Tensor[]"""
    return [unary.neg(g, value) for value in self]


@symbolic("aten::_foreach_exp")
def foreach_exp(g: SymbolicContext, self: Sequence[Value]) -> Sequence[Value]:
    """_foreach_exp(Tensor[] self) -> Tensor[]"""
    return [unary.exp(g, value) for value in self]


@symbolic("aten::_foreach_log")
def foreach_log(g: SymbolicContext, self: Sequence[Value]) -> Sequence[Value]:
    """_foreach_log(Tensor[] self) -> Tensor[]"""
    return [unary.log(g, value) for value in self]


@symbolic("aten::_foreach_sqrt")
def foreach_sqrt(g: SymbolicContext, self: Sequence[Value]) -> Sequence[Value]:
    """_foreach_sqrt(Tensor[] self) -> Tensor[]"""
    return [unary.sqrt(g, value) for value in self]


@symbolic("aten::_foreach_rsqrt")
def foreach_rsqrt(g: SymbolicContext, self: Sequence[Value]) -> Sequence[Value]:
    """_foreach_rsqrt(Tensor[] self) -> Tensor[]"""
    return [unary.rsqrt(g, value) for value in self]


@symbolic("aten::_foreach_reciprocal")
def foreach_reciprocal(g: SymbolicContext, self: Sequence[Value]) -> Sequence[Value]:
    """_foreach_reciprocal(Tensor[] self) -> Tensor[]"""
    return [unary.reciprocal(g, value) for value in self]


@symbolic("aten::_foreach_sigmoid")
def foreach_sigmoid(g: SymbolicContext, self: Sequence[Value]) -> Sequence[Value]:
    """_foreach_sigmoid(Tensor[] self) -> Tensor[]"""
    return [unary.sigmoid(g, value) for value in self]


@symbolic("aten::_foreach_tanh")
def foreach_tanh(g: SymbolicContext, self: Sequence[Value]) -> Sequence[Value]:
    """_foreach_tanh(Tensor[] self) -> Tensor[]"""
    return [unary.tanh(g, value) for value in self]


@symbolic("aten::_foreach_sign")
def foreach_sign(g: SymbolicContext, self: Sequence[Value]) -> Sequence[Value]:
    """_foreach_sign(Tensor[] self) -> Tensor[]"""
    return [unary.sign(g, value) for value in self]


@symbolic("aten::_foreach_add.Scalar")
def foreach_add(g: SymbolicContext, self: Sequence[Value], scalar: Scalar) -> Sequence[Value]:
    """_foreach_add.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]"""
    return [arithmetic.add(g, value, scalar) for value in self]


@symbolic("aten::_foreach_add.ScalarList")
def foreach_add_scalars(
    g: SymbolicContext, self: Sequence[Value], scalars: Sequence[Scalar]
) -> Sequence[Value]:
    """_foreach_add.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]"""
    return [arithmetic.add(g, value, scalar) for value, scalar in zip(self, scalars, strict=True)]


@symbolic("aten::_foreach_add.List")
def foreach_add_list(
    g: SymbolicContext, self: Sequence[Value], other: Sequence[Value], alpha: Scalar = 1
) -> Sequence[Value]:
    """_foreach_add.List(Tensor[] self, Tensor[] other, *, Scalar alpha=1) -> Tensor[]"""
    return [arithmetic.add(g, left, right, alpha) for left, right in zip(self, other, strict=True)]


@symbolic("aten::_foreach_add.Tensor")
def foreach_add_tensor(
    g: SymbolicContext, self: Sequence[Value], other: Value, alpha: Scalar = 1
) -> Sequence[Value]:
    """_foreach_add.Tensor(Tensor[] self, Tensor other, *, Scalar alpha=1) -> Tensor[]"""
    return [arithmetic.add(g, value, other, alpha) for value in self]


@symbolic("aten::_foreach_sub.Scalar")
def foreach_sub(g: SymbolicContext, self: Sequence[Value], scalar: Scalar) -> Sequence[Value]:
    """_foreach_sub.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]"""
    return [arithmetic.sub(g, value, scalar) for value in self]


@symbolic("aten::_foreach_sub.ScalarList")
def foreach_sub_scalars(
    g: SymbolicContext, self: Sequence[Value], scalars: Sequence[Scalar]
) -> Sequence[Value]:
    """_foreach_sub.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]"""
    return [arithmetic.sub(g, value, scalar) for value, scalar in zip(self, scalars, strict=True)]


@symbolic("aten::_foreach_sub.List")
def foreach_sub_list(
    g: SymbolicContext, self: Sequence[Value], other: Sequence[Value], alpha: Scalar = 1
) -> Sequence[Value]:
    """_foreach_sub.List(Tensor[] self, Tensor[] other, *, Scalar alpha=1) -> Tensor[]"""
    return [arithmetic.sub(g, left, right, alpha) for left, right in zip(self, other, strict=True)]


@symbolic("aten::_foreach_mul.Scalar")
def foreach_mul(g: SymbolicContext, self: Sequence[Value], scalar: Scalar) -> Sequence[Value]:
    """_foreach_mul.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]"""
    return [arithmetic.mul(g, value, scalar) for value in self]


@symbolic("aten::_foreach_mul.ScalarList")
def foreach_mul_scalars(
    g: SymbolicContext, self: Sequence[Value], scalars: Sequence[Scalar]
) -> Sequence[Value]:
    """_foreach_mul.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]"""
    return [arithmetic.mul(g, value, scalar) for value, scalar in zip(self, scalars, strict=True)]


@symbolic("aten::_foreach_mul.List")
def foreach_mul_list(g: SymbolicContext, self: Sequence[Value], other: Sequence[Value]) -> Sequence[Value]:
    """_foreach_mul.List(Tensor[] self, Tensor[] other) -> Tensor[]"""
    return [arithmetic.mul(g, left, right) for left, right in zip(self, other, strict=True)]


@symbolic("aten::_foreach_mul.Tensor")
def foreach_mul_tensor(g: SymbolicContext, self: Sequence[Value], other: Value) -> Sequence[Value]:
    """_foreach_mul.Tensor(Tensor[] self, Tensor other) -> Tensor[]"""
    return [arithmetic.mul(g, value, other) for value in self]


@symbolic("aten::_foreach_div.Scalar")
def foreach_div(g: SymbolicContext, self: Sequence[Value], scalar: Scalar) -> Sequence[Value]:
    """_foreach_div.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]"""
    return [arithmetic.div(g, value, scalar) for value in self]


@symbolic("aten::_foreach_div.ScalarList")
def foreach_div_scalars(
    g: SymbolicContext, self: Sequence[Value], scalars: Sequence[Scalar]
) -> Sequence[Value]:
    """_foreach_div.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]"""
    return [arithmetic.div(g, value, scalar) for value, scalar in zip(self, scalars, strict=True)]


@symbolic("aten::_foreach_div.List")
def foreach_div_list(g: SymbolicContext, self: Sequence[Value], other: Sequence[Value]) -> Sequence[Value]:
    """_foreach_div.List(Tensor[] self, Tensor[] other) -> Tensor[]"""
    return [arithmetic.div(g, left, right) for left, right in zip(self, other, strict=True)]


@symbolic("aten::_foreach_div.Tensor")
def foreach_div_tensor(g: SymbolicContext, self: Sequence[Value], other: Value) -> Sequence[Value]:
    """_foreach_div.Tensor(Tensor[] self, Tensor other) -> Tensor[]"""
    return [arithmetic.div(g, value, other) for value in self]


@symbolic("aten::_foreach_maximum.Scalar")
def foreach_maximum(g: SymbolicContext, self: Sequence[Value], scalar: Scalar) -> Sequence[Value]:
    """_foreach_maximum.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]"""
    return [compare.maximum(g, value, scalar) for value in self]


@symbolic("aten::_foreach_maximum.ScalarList")
def foreach_maximum_scalars(
    g: SymbolicContext, self: Sequence[Value], scalars: Sequence[Scalar]
) -> Sequence[Value]:
    """_foreach_maximum.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]"""
    return [compare.maximum(g, value, scalar) for value, scalar in zip(self, scalars, strict=True)]


@symbolic("aten::_foreach_maximum.List")
def foreach_maximum_list(
    g: SymbolicContext, self: Sequence[Value], other: Sequence[Value]
) -> Sequence[Value]:
    """_foreach_maximum.List(Tensor[] self, Tensor[] other) -> Tensor[]"""
    return [compare.maximum(g, left, right) for left, right in zip(self, other, strict=True)]


@symbolic("aten::_foreach_minimum.Scalar")
def foreach_minimum(g: SymbolicContext, self: Sequence[Value], scalar: Scalar) -> Sequence[Value]:
    """_foreach_minimum.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]"""
    return [compare.minimum(g, value, scalar) for value in self]


@symbolic("aten::_foreach_minimum.ScalarList")
def foreach_minimum_scalars(
    g: SymbolicContext, self: Sequence[Value], scalars: Sequence[Scalar]
) -> Sequence[Value]:
    """_foreach_minimum.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]"""
    return [compare.minimum(g, value, scalar) for value, scalar in zip(self, scalars, strict=True)]


@symbolic("aten::_foreach_minimum.List")
def foreach_minimum_list(
    g: SymbolicContext, self: Sequence[Value], other: Sequence[Value]
) -> Sequence[Value]:
    """_foreach_minimum.List(Tensor[] self, Tensor[] other) -> Tensor[]"""
    return [compare.minimum(g, left, right) for left, right in zip(self, other, strict=True)]


@symbolic("aten::_foreach_addcmul.Scalar")
def foreach_addcmul(
    g: SymbolicContext,
    self: Sequence[Value],
    tensor1: Sequence[Value],
    tensor2: Sequence[Value],
    value: Scalar = 1,
) -> Sequence[Value]:
    """_foreach_addcmul.Scalar(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar value=1) -> Tensor[]"""
    return [arithmetic.addcmul(g, *parts, value) for parts in zip(self, tensor1, tensor2, strict=True)]


@symbolic("aten::_foreach_addcdiv.Scalar")
def foreach_addcdiv(
    g: SymbolicContext,
    self: Sequence[Value],
    tensor1: Sequence[Value],
    tensor2: Sequence[Value],
    value: Scalar = 1,
) -> Sequence[Value]:
    """_foreach_addcdiv.Scalar(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar value=1) -> Tensor[]"""
    return [arithmetic.addcdiv(g, *parts, value) for parts in zip(self, tensor1, tensor2, strict=True)]


@symbolic("aten::_foreach_lerp.Scalar")
def foreach_lerp(
    g: SymbolicContext, self: Sequence[Value], tensors1: Sequence[Value], weight: Scalar
) -> Sequence[Value]:
    """_foreach_lerp.Scalar(Tensor[] self, Tensor[] tensors1, Scalar weight) -> Tensor[]"""
    return [arithmetic.lerp(g, start, end, weight) for start, end in zip(self, tensors1, strict=True)]


@symbolic("aten::_foreach_pow.Scalar")
def foreach_pow(g: SymbolicContext, self: Sequence[Value], exponent: Scalar) -> Sequence[Value]:
    """_foreach_pow.Scalar(Tensor[] self, Scalar exponent) -> Tensor[]"""
    return [power.pow_tensor_scalar(g, value, exponent) for value in self]


@symbolic("aten::_foreach_norm.Scalar")
def foreach_norm(
    g: SymbolicContext, self: Sequence[Value], ord: Scalar = 2, dtype: ir.DataType | None = None
) -> Sequence[Value]:
    """_foreach_norm.Scalar(Tensor[] self, Scalar ord=2, ScalarType? dtype=None) -> Tensor[]"""
    return [norm.linalg_vector_norm(g, value, ord, dtype=dtype) for value in self]
