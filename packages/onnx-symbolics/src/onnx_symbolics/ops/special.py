"""Functions of floating-point numbers that C's mathematics has and ONNX does not."""

from __future__ import annotations

from onnx_ir_capture.contracts import Operand, Scalar, Value
from onnx_ir_capture.emit import (
    hypotenuse,
    is_below_zero,
    mantissa_and_exponent,
    times_log,
    times_power_of_2,
    with_sign_of,
)
from onnx_symbolics import SymbolicContext, symbolic

__all__ = [
    "copysign",
    "copysign_scalar",
    "frexp",
    "hypot",
    "ldexp",
    "signbit",
    "xlogy",
    "xlogy_scalar_other",
    "xlogy_scalar_self",
]


@symbolic("aten::signbit")
def signbit(g: SymbolicContext, self: Value) -> Value:
    """signbit(Tensor self) -> Tensor

    Before opset 26 NaN counts as positive: no operator tells the signs of NaN apart.
    """
    return is_below_zero(g, self)


@symbolic("aten::copysign.Tensor")
def copysign(g: SymbolicContext, self: Value, other: Operand) -> Value:
    """copysign.Tensor(Tensor self, Tensor other) -> Tensor"""
    return with_sign_of(g, self, other)


@symbolic("aten::copysign.Scalar")
def copysign_scalar(g: SymbolicContext, self: Value, other: Scalar) -> Value:
    """copysign.Scalar(Tensor self, Scalar other) -> Tensor"""
    return copysign(g, self, other)


@symbolic("aten::hypot")
def hypot(g: SymbolicContext, self: Value, other: Value) -> Value:
    """hypot(Tensor self, Tensor other) -> Tensor"""
    return hypotenuse(g, self, other)


@symbolic("aten::frexp.Tensor")
def frexp(g: SymbolicContext, self: Value) -> tuple[Value, Value]:
    """frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)"""
    return mantissa_and_exponent(g, self)


@symbolic("aten::ldexp.Tensor")
def ldexp(g: SymbolicContext, self: Value, other: Value) -> Value:
    """ldexp.Tensor(Tensor self, Tensor other) -> Tensor"""
    return times_power_of_2(g, self, other)


@symbolic("aten::xlogy.Tensor", "aten::special_xlogy")
def xlogy(g: SymbolicContext, self: Operand, other: Operand) -> Value:
    """xlogy.Tensor(Tensor self, Tensor other) -> Tensor"""
    return times_log(g, self, other)


@symbolic("aten::xlogy.Scalar_Self", "aten::special_xlogy.self_scalar")
def xlogy_scalar_self(g: SymbolicContext, self: Scalar, other: Value) -> Value:
    """xlogy.Scalar_Self(Scalar self, Tensor other) -> Tensor"""
    return xlogy(g, self, other)


@symbolic("aten::xlogy.Scalar_Other", "aten::special_xlogy.other_scalar")
def xlogy_scalar_other(g: SymbolicContext, self: Value, other: Scalar) -> Value:
    """xlogy.Scalar_Other(Tensor self, Scalar other) -> Tensor"""
    return xlogy(g, self, other)
