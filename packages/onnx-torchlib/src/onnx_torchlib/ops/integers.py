"""Divisors and multiples of integers."""

from __future__ import annotations

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import greatest_divisor, least_multiple
from onnx_torchlib import Op, translator

__all__ = ["gcd", "lcm"]


@translator("aten::gcd")
def gcd(op: Op, self: Value, other: Value) -> Value:
    """gcd(Tensor self, Tensor other) -> Tensor"""
    return greatest_divisor(op, self, other)


@translator("aten::lcm")
def lcm(op: Op, self: Value, other: Value) -> Value:
    """lcm(Tensor self, Tensor other) -> Tensor"""
    return least_multiple(op, self, other)
