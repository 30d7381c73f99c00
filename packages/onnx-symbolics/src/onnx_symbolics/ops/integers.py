"""Divisors and multiples of integers."""

from __future__ import annotations

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import greatest_divisor, least_multiple
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["gcd", "lcm"]


@symbolic("aten::gcd")
def gcd(g: SymbolicContext, self: Value, other: Value) -> Value:
    """gcd(Tensor self, Tensor other) -> Tensor"""
    return greatest_divisor(g, self, other)


@symbolic("aten::lcm")
def lcm(g: SymbolicContext, self: Value, other: Value) -> Value:
    """lcm(Tensor self, Tensor other) -> Tensor"""
    return least_multiple(g, self, other)
