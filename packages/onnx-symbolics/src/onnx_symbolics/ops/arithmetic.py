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
from onnx_symbolics import SymbolicContext, symbolic

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
    "sub",
]


@symbolic("aten::add.Tensor", "aten::add.Scalar")
def add(g: SymbolicContext, self: Operand, other: Operand, alpha: Scalar = 1) -> Value:
    """add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"""
    left, right = promote(g, self, other)
    right = _scaled(g, right, alpha)
    return g.Or(left, right) if left.dtype == ir.DataType.BOOL else g.Add(left, right)


def _scaled(g: SymbolicContext, value: Value, alpha: Scalar) -> Value:
    """``alpha * value`` in the dtype of ``value``."""
    if not isinstance(alpha, ir.Value) and alpha == 1:
        return value
    (factor,) = promote(g, alpha, dtype=value.dtype)
    return g.And(value, factor) if value.dtype == ir.DataType.BOOL else g.Mul(value, factor)


@symbolic("aten::sub.Tensor", "aten::sub.Scalar", "aten::subtract.Tensor", "aten::subtract.Scalar")
def sub(g: SymbolicContext, self: Operand, other: Operand, alpha: Scalar = 1) -> Value:
    """sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"""
    left, right = promote(g, self, other)
    return g.Sub(left, _scaled(g, right, alpha))


@symbolic("aten::rsub.Tensor", "aten::rsub.Scalar")
def rsub(g: SymbolicContext, self: Operand, other: Operand, alpha: Scalar = 1) -> Value:
    """rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"""
    return sub(g, other, self, alpha)


@symbolic("aten::mul.Tensor", "aten::mul.Scalar", "aten::multiply.Tensor", "aten::multiply.Scalar")
def mul(g: SymbolicContext, self: Operand, other: Operand) -> Value:
    """mul.Tensor(Tensor self, Tensor other) -> Tensor"""
    return product(g, self, other)


@symbolic(
    "aten::div.Tensor",
    "aten::div.Scalar",
    "aten::divide.Tensor",
    "aten::divide.Scalar",
    "aten::true_divide.Tensor",
    "aten::true_divide.Scalar",
)
def div(g: SymbolicContext, self: Operand, other: Operand) -> Value:
    """div.Tensor(Tensor self, Tensor other) -> Tensor"""
    return true_quotient(g, self, other)


@symbolic(
    "aten::div.Tensor_mode",
    "aten::div.Scalar_mode",
    "aten::divide.Tensor_mode",
    "aten::divide.Scalar_mode",
)
def div_mode(g: SymbolicContext, self: Operand, other: Operand, rounding_mode: str | None) -> Value:
    """div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor"""
    if rounding_mode is None:
        return true_quotient(g, self, other)
    if rounding_mode not in ("floor", "trunc"):
        g.refuse(f"torch has no rounding mode {rounding_mode!r}")
    return rounded_quotient(g, self, other, floor=rounding_mode == "floor")


@symbolic("aten::floor_divide", "aten::floor_divide.Scalar")
def floor_divide(g: SymbolicContext, self: Operand, other: Operand) -> Value:
    """floor_divide(Tensor self, Tensor other) -> Tensor"""
    return rounded_quotient(g, self, other, floor=True)


@symbolic("aten::remainder.Tensor", "aten::remainder.Scalar", "aten::remainder.Scalar_Tensor")
def remainder(g: SymbolicContext, self: Operand, other: Operand) -> Value:
    """remainder.Tensor(Tensor self, Tensor other) -> Tensor"""
    return remainder_of(g, *promote(g, self, other))


@symbolic("aten::fmod.Tensor", "aten::fmod.Scalar")
def fmod(g: SymbolicContext, self: Operand, other: Operand) -> Value:
    """fmod.Tensor(Tensor self, Tensor other) -> Tensor"""
    return g.Mod(*promote(g, self, other), fmod=1)


@symbolic("aten::addcmul")
def addcmul(g: SymbolicContext, self: Value, tensor1: Value, tensor2: Value, value: Scalar = 1) -> Value:
    """addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor"""
    dtype = promoted_dtype((self, tensor1, tensor2))
    base, first, second = promote(g, self, tensor1, tensor2, dtype=opmath_dtype(dtype))
    return g.cast(g.Add(base, g.Mul(_scaled(g, first, value), second)), dtype)


@symbolic("aten::addcdiv")
def addcdiv(g: SymbolicContext, self: Value, tensor1: Value, tensor2: Value, value: Scalar = 1) -> Value:
    """addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor"""
    dtype = promoted_dtype((self, tensor1, tensor2))
    base, first, second = promote(g, self, tensor1, tensor2, dtype=opmath_dtype(dtype))
    return g.cast(g.Add(base, g.Div(_scaled(g, first, value), second)), dtype)


@symbolic("aten::lerp.Scalar")
def lerp(g: SymbolicContext, self: Value, end: Value, weight: Scalar) -> Value:
    """lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor"""
    return _between(g, self, end, weight)


@symbolic("aten::lerp.Tensor")
def lerp_tensor(g: SymbolicContext, self: Value, end: Value, weight: Value) -> Value:
    """lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor"""
    return _between(g, self, end, weight)


def _between(g: SymbolicContext, self: Value, end: Value, weight: Scalar) -> Value:
    """Counted from the nearer end, as torch does: both ends come out exactly."""
    wide = None if self.dtype is None else opmath_dtype(self.dtype)
    start, stop, share = promote(g, self, end, weight, dtype=wide)
    span = g.Sub(stop, start)
    near = g.Add(start, g.Mul(share, span))
    far = g.Sub(stop, g.Mul(span, g.Sub(1.0, share)))
    return g.cast(g.Where(g.Less(g.Abs(share), 0.5), near, far), self.dtype or ir.DataType.FLOAT)
