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
from onnx_torchlib import Op, translator

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


@translator("aten::signbit")
def signbit(op: Op, self: Value) -> Value:
    """signbit(Tensor self) -> Tensor

    Before opset 26 NaN counts as positive: no operator tells the signs of NaN apart.
    """
    return is_below_zero(op, self)


@translator("aten::copysign.Tensor")
def copysign(op: Op, self: Value, other: Operand) -> Value:
    """copysign.Tensor(Tensor self, Tensor other) -> Tensor"""
    return with_sign_of(op, self, other)


@translator("aten::copysign.Scalar")
def copysign_scalar(op: Op, self: Value, other: Scalar) -> Value:
    """copysign.Scalar(Tensor self, Scalar other) -> Tensor"""
    return copysign(op, self, other)


@translator("aten::hypot")
def hypot(op: Op, self: Value, other: Value) -> Value:
    """hypot(Tensor self, Tensor other) -> Tensor"""
    return hypotenuse(op, self, other)


@translator("aten::frexp.Tensor")
def frexp(op: Op, self: Value) -> tuple[Value, Value]:
    """frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)"""
    return mantissa_and_exponent(op, self)


@translator("aten::ldexp.Tensor")
def ldexp(op: Op, self: Value, other: Value) -> Value:
    """ldexp.Tensor(Tensor self, Tensor other) -> Tensor"""
    return times_power_of_2(op, self, other)


@translator("aten::xlogy.Tensor", "aten::special_xlogy")
def xlogy(op: Op, self: Operand, other: Operand) -> Value:
    """xlogy.Tensor(Tensor self, Tensor other) -> Tensor"""
    return times_log(op, self, other)


@translator("aten::xlogy.Scalar_Self", "aten::special_xlogy.self_scalar")
def xlogy_scalar_self(op: Op, self: Scalar, other: Value) -> Value:
    """xlogy.Scalar_Self(Scalar self, Tensor other) -> Tensor"""
    return xlogy(op, self, other)


@translator("aten::xlogy.Scalar_Other", "aten::special_xlogy.other_scalar")
def xlogy_scalar_other(op: Op, self: Value, other: Scalar) -> Value:
    """xlogy.Scalar_Other(Tensor self, Scalar other) -> Tensor"""
    return xlogy(op, self, other)
