"""Divisors and multiples of integers."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import promote, promoted_dtype
from onnx_torchlib import Op, translator
from onnx_torchlib._loops import loop_while

__all__ = ["gcd", "lcm"]


@translator("aten::gcd")
def gcd(op: Op, self: Value, other: Value) -> Value:
    """gcd(Tensor self, Tensor other) -> Tensor"""
    return op.cast(_greatest_divisor(op, self, other), promoted_dtype((self, other), op.default_float))


def _greatest_divisor(op: Op, self: Value, other: Value) -> Value:
    """In INT64, by Euclid's steps on all elements together, until no remainder is left."""
    dtype = promoted_dtype((self, other), op.default_float)
    left, right = (
        # The least number has no opposite in its dtype, and stays negative.
        op.cast(op.cast(op.Abs(value), dtype), ir.DataType.INT64)
        for value in promote(op, self, other, dtype=ir.DataType.INT64)
    )
    shape = op.Shape(op.Add(left, right))
    return loop_while(op, [op.Expand(left, shape), op.Expand(right, shape)], _has_remainders, _euclid)[1]


def _has_remainders(op: Op, state: Sequence[Value]) -> Value:
    # Of an empty tensor, ReduceMax has no value.
    count = op.ReduceSum(op.cast(op.Not(op.Equal(state[0], 0)), ir.DataType.INT64), keepdims=0)
    return op.Greater(count, 0)


def _euclid(op: Op, state: Sequence[Value]) -> Sequence[Value]:
    remainder, divisor = state
    done = op.Equal(remainder, 0)
    by = op.Where(done, 1, remainder)
    # With the sign of the dividend, as in C; ONNX's Mod of that kind goes through floats in ONNX Runtime.
    left = op.Sub(divisor, op.Mul(op.Div(divisor, by), by))
    return [op.Where(done, 0, left), op.Where(done, divisor, remainder)]


@translator("aten::lcm")
def lcm(op: Op, self: Value, other: Value) -> Value:
    """lcm(Tensor self, Tensor other) -> Tensor"""
    dtype = promoted_dtype((self, other), op.default_float)
    left, right = promote(op, self, other, dtype=ir.DataType.INT64)
    divisor = _greatest_divisor(op, self, other)
    none = op.Equal(divisor, 0)
    # A divisor of -1 would carry the least number out of range, which ends the process.
    product = op.Mul(op.Div(left, op.Where(none, 1, op.Abs(divisor))), right)
    if dtype == ir.DataType.INT32:
        # C computes it in int, narrower dtypes as well, and takes the magnitude there.
        product = op.cast(op.cast(product, dtype), ir.DataType.INT64)
    return op.cast(op.Where(none, 0, op.Abs(product)), dtype)
