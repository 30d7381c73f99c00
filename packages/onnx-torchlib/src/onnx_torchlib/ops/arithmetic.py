"""Arithmetic on tensors and numbers, with torch's type promotion."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Operand, Scalar, Value
from onnx_ir_capture.emit import (
    opmath_dtype,
    product,
    promote,
    promoted_dtype,
    remainder_of,
    rounded_quotient,
    true_quotient,
)
from onnx_torchlib import Op, translator

__all__ = [
    "add",
    "addcdiv",
    "addcmul",
    "div",
    "div_mode",
    "floor_divide",
    "fmod",
    "lerp",
    "lerp_tensor",
    "mul",
    "remainder",
    "rsub",
    "scaled",
    "sub",
]


@translator("aten::add.Tensor", "aten::add.Scalar")
def add(op: Op, self: Operand, other: Operand, alpha: Scalar = 1) -> Value:
    """add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"""
    left, right = promote(op, self, other)
    right = scaled(op, right, alpha)
    return op.Or(left, right) if left.dtype == ir.DataType.BOOL else op.Add(left, right)


def scaled(op: Op, value: Value, alpha: Scalar) -> Value:
    """``alpha * value`` in the dtype of ``value``."""
    if not isinstance(alpha, ir.Value) and alpha == 1:
        return value
    (factor,) = promote(op, alpha, dtype=value.dtype)
    return op.And(value, factor) if value.dtype == ir.DataType.BOOL else op.Mul(value, factor)


@translator("aten::sub.Tensor", "aten::sub.Scalar", "aten::subtract.Tensor", "aten::subtract.Scalar")
def sub(op: Op, self: Operand, other: Operand, alpha: Scalar = 1) -> Value:
    """sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"""
    left, right = promote(op, self, other)
    return op.Sub(left, scaled(op, right, alpha))


@translator("aten::rsub.Tensor", "aten::rsub.Scalar")
def rsub(op: Op, self: Operand, other: Operand, alpha: Scalar = 1) -> Value:
    """rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"""
    return sub(op, other, self, alpha)


@translator("aten::mul.Tensor", "aten::mul.Scalar", "aten::multiply.Tensor", "aten::multiply.Scalar")
def mul(op: Op, self: Operand, other: Operand) -> Value:
    """mul.Tensor(Tensor self, Tensor other) -> Tensor"""
    return product(op, self, other)


@translator(
    "aten::div.Tensor",
    "aten::div.Scalar",
    "aten::divide.Tensor",
    "aten::divide.Scalar",
    "aten::true_divide.Tensor",
    "aten::true_divide.Scalar",
)
def div(op: Op, self: Operand, other: Operand) -> Value:
    """div.Tensor(Tensor self, Tensor other) -> Tensor"""
    return true_quotient(op, self, other)


@translator(
    "aten::div.Tensor_mode", "aten::div.Scalar_mode", "aten::divide.Tensor_mode", "aten::divide.Scalar_mode"
)
def div_mode(op: Op, self: Operand, other: Operand, rounding_mode: str | None) -> Value:
    """div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor"""
    if rounding_mode is None:
        return true_quotient(op, self, other)
    if rounding_mode not in ("floor", "trunc"):
        op.refuse(f"torch has no rounding mode {rounding_mode!r}")
    return rounded_quotient(op, self, other, floor=rounding_mode == "floor")


@translator("aten::floor_divide", "aten::floor_divide.Scalar")
def floor_divide(op: Op, self: Operand, other: Operand) -> Value:
    """floor_divide(Tensor self, Tensor other) -> Tensor"""
    return rounded_quotient(op, self, other, floor=True)


@translator("aten::remainder.Tensor", "aten::remainder.Scalar", "aten::remainder.Scalar_Tensor")
def remainder(op: Op, self: Operand, other: Operand) -> Value:
    """remainder.Tensor(Tensor self, Tensor other) -> Tensor"""
    return remainder_of(op, *promote(op, self, other))


@translator("aten::fmod.Tensor", "aten::fmod.Scalar")
def fmod(op: Op, self: Operand, other: Operand) -> Value:
    """fmod.Tensor(Tensor self, Tensor other) -> Tensor"""
    return op.Mod(*promote(op, self, other), fmod=1)


@translator("aten::addcmul")
def addcmul(op: Op, self: Value, tensor1: Value, tensor2: Value, value: Scalar = 1) -> Value:
    """addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor"""
    dtype = promoted_dtype((self, tensor1, tensor2))
    base, first, second = promote(op, self, tensor1, tensor2, dtype=opmath_dtype(dtype))
    return op.cast(op.Add(base, op.Mul(scaled(op, first, value), second)), dtype)


@translator("aten::addcdiv")
def addcdiv(op: Op, self: Value, tensor1: Value, tensor2: Value, value: Scalar = 1) -> Value:
    """addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor"""
    dtype = promoted_dtype((self, tensor1, tensor2))
    base, first, second = promote(op, self, tensor1, tensor2, dtype=opmath_dtype(dtype))
    return op.cast(op.Add(base, op.Div(scaled(op, first, value), second)), dtype)


@translator("aten::lerp.Scalar")
def lerp(op: Op, self: Value, end: Value, weight: Scalar) -> Value:
    """lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor"""
    return _between(op, self, end, weight)


@translator("aten::lerp.Tensor")
def lerp_tensor(op: Op, self: Value, end: Value, weight: Value) -> Value:
    """lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor"""
    return _between(op, self, end, weight)


def _between(op: Op, self: Value, end: Value, weight: Scalar) -> Value:
    """Counted from the nearer end, as torch does: both ends come out exactly."""
    wide = None if self.dtype is None else opmath_dtype(self.dtype)
    start, stop, share = promote(op, self, end, weight, dtype=wide)
    span = op.Sub(stop, start)
    near = op.Add(start, op.Mul(share, span))
    far = op.Sub(stop, op.Mul(span, op.Sub(1.0, share)))
    return op.cast(op.Where(op.Less(op.Abs(share), 0.5), near, far), self.dtype or ir.DataType.FLOAT)
