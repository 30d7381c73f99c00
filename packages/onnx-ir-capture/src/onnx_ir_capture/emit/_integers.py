"""Divisors and multiples of integers."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._loops import loop_while
from onnx_ir_capture.emit._promotion import promote, promoted_dtype

__all__ = ["greatest_divisor", "least_multiple"]


def greatest_divisor(emitter: Emitter, value: Value, other: Value) -> Value:
    """The greatest common divisor, in the dtype of both."""
    return emitter.cast(
        _greatest_divisor(emitter, value, other), promoted_dtype((value, other), emitter.default_float)
    )


def _greatest_divisor(emitter: Emitter, value: Value, other: Value) -> Value:
    """In INT64, by Euclid's steps on all elements together, until no remainder is left."""
    dtype = promoted_dtype((value, other), emitter.default_float)
    left, right = (
        # The least number has no opposite in its dtype, and stays negative.
        emitter.cast(emitter.cast(emitter.Abs(value), dtype), ir.DataType.INT64)
        for value in promote(emitter, value, other, dtype=ir.DataType.INT64)
    )
    shape = emitter.Shape(emitter.Add(left, right))
    return loop_while(
        emitter, [emitter.Expand(left, shape), emitter.Expand(right, shape)], _has_remainders, _euclid
    )[1]


def _has_remainders(emitter: Emitter, state: Sequence[Value]) -> Value:
    # Of an empty tensor, ReduceMax has no value.
    count = emitter.ReduceSum(
        emitter.cast(emitter.Not(emitter.Equal(state[0], 0)), ir.DataType.INT64), keepdims=0
    )
    return emitter.Greater(count, 0)


def _euclid(emitter: Emitter, state: Sequence[Value]) -> Sequence[Value]:
    remainder, divisor = state
    done = emitter.Equal(remainder, 0)
    by = emitter.Where(done, 1, remainder)
    # With the sign of the dividend, as in C; ONNX's Mod of that kind goes through floats in ONNX Runtime.
    left = emitter.Sub(divisor, emitter.Mul(emitter.Div(divisor, by), by))
    return [emitter.Where(done, 0, left), emitter.Where(done, divisor, remainder)]


def least_multiple(emitter: Emitter, value: Value, other: Value) -> Value:
    """The least common multiple, in the dtype of both."""
    dtype = promoted_dtype((value, other), emitter.default_float)
    left, right = promote(emitter, value, other, dtype=ir.DataType.INT64)
    divisor = _greatest_divisor(emitter, value, other)
    none = emitter.Equal(divisor, 0)
    # A divisor of -1 would carry the least number out of range, which ends the process.
    product = emitter.Mul(emitter.Div(left, emitter.Where(none, 1, emitter.Abs(divisor))), right)
    if dtype == ir.DataType.INT32:
        # C computes it in int, narrower dtypes as well, and takes the magnitude there.
        product = emitter.cast(emitter.cast(product, dtype), ir.DataType.INT64)
    return emitter.cast(emitter.Where(none, 0, emitter.Abs(product)), dtype)
