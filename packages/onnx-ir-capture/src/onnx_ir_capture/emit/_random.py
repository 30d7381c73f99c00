"""Random numbers: other ones in every run, of torch's distributions."""

from __future__ import annotations

import math
from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, SymInt, Value
from onnx_ir_capture.emit._dtypes import HALVES, dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._filled import filled
from onnx_ir_capture.emit._promotion import promote
from onnx_ir_capture.emit._shapes import rank_of, size_vector

__all__ = [
    "chosen_classes",
    "exponential_numbers",
    "normal_numbers",
    "random_integers",
    "random_order",
    "truth_by_chance",
    "uniform_numbers",
]

_DIGITS = {ir.DataType.FLOAT16: 11, ir.DataType.BFLOAT16: 8}
"""Bits of the fraction that halves hold below 1: torch draws as many."""

_OTHER_NUMBERS = "the numbers are others than PyTorch's, whatever the seed, and others in each run"


def uniform_numbers(emitter: Emitter, shape: Value | Sequence[SymInt], dtype: ir.DataType) -> Value:
    """Numbers from 0 up to and without 1, in a shape or in that of a value."""
    emitter.limit(_OTHER_NUMBERS)
    if dtype not in _DIGITS:
        return emitter.RandomUniformLike(_model(emitter, shape), dtype=_floating(emitter, dtype))
    # The largest floats below 1 would be rounded to it.
    steps = 2.0 ** _DIGITS[dtype]
    wide = uniform_numbers(emitter, shape, ir.DataType.FLOAT)
    return emitter.cast(emitter.Div(emitter.Floor(emitter.Mul(wide, steps)), steps), dtype)


def normal_numbers(emitter: Emitter, shape: Value | Sequence[SymInt], dtype: ir.DataType) -> Value:
    """Numbers of the standard normal distribution, in a shape or in that of a value."""
    emitter.limit(_OTHER_NUMBERS)
    wide = ir.DataType.FLOAT if dtype in HALVES else _floating(emitter, dtype)
    return emitter.cast(emitter.RandomNormalLike(_model(emitter, shape), dtype=wide), dtype)


def _model(emitter: Emitter, shape: Value | Sequence[SymInt]) -> Value:
    return shape if isinstance(shape, ir.Value) else filled(emitter, shape, 0, ir.DataType.FLOAT)


def _floating(emitter: Emitter, dtype: ir.DataType) -> ir.DataType:
    if dtype not in (ir.DataType.FLOAT, ir.DataType.DOUBLE):
        emitter.refuse(f"ONNX draws no random numbers of {dtype.name}")
    return dtype


def random_integers(
    emitter: Emitter, shape: Value | Sequence[SymInt], low: Scalar, high: Scalar, dtype: ir.DataType
) -> Value:
    """Integers from ``low`` up to and without ``high``, each as likely; the span counts to 2 ** 53."""
    first, last = promote(emitter, low, high, dtype=ir.DataType.DOUBLE)
    share = uniform_numbers(emitter, shape, ir.DataType.DOUBLE)
    steps = emitter.Floor(emitter.Mul(share, emitter.Sub(last, first)))
    return emitter.cast(emitter.cast(emitter.Add(steps, first), ir.DataType.INT64), dtype)


def random_order(emitter: Emitter, count: SymInt) -> Value:
    """The indices below ``count``, each order as likely."""
    keys = uniform_numbers(emitter, [count], ir.DataType.DOUBLE)
    return emitter.TopK(keys, size_vector(emitter, [count]))[1]


def truth_by_chance(emitter: Emitter, probability: Value, dtype: ir.DataType) -> Value:
    """1 with the probability of each element, else 0."""
    chance = emitter.cast(probability, ir.DataType.FLOAT) if probability.dtype in HALVES else probability
    drawn = uniform_numbers(emitter, chance, dtype_of(emitter, chance))
    return emitter.cast(emitter.Less(drawn, chance), dtype)


def exponential_numbers(
    emitter: Emitter, shape: Value | Sequence[SymInt], rate: float, dtype: ir.DataType
) -> Value:
    """Numbers of the exponential distribution."""
    wide = ir.DataType.FLOAT if dtype in HALVES else dtype
    # One less a number below 1 is never 0, of which there is no logarithm.
    logs = emitter.Log(emitter.Sub(1.0, uniform_numbers(emitter, shape, wide)))
    return emitter.cast(emitter.Div(logs, -rate), dtype)


def chosen_classes(emitter: Emitter, weights: Value, count: SymInt, *, replacement: bool) -> Value:
    """Indices of ``count`` classes of the last axis, each as likely as its weight says."""
    if rank_of(emitter, weights) == 1:
        rows = emitter.Unsqueeze(weights, [0])
        return emitter.Squeeze(chosen_classes(emitter, rows, count, replacement=replacement), [0])
    if replacement:
        if isinstance(count, ir.Value):
            emitter.refuse("ONNX draws with replacement a number of samples that is constant")
        emitter.limit(_OTHER_NUMBERS)
        logs = emitter.Log(emitter.cast(weights, ir.DataType.FLOAT))
        return emitter.Multinomial(logs, dtype=ir.DataType.INT64, sample_size=count)
    # Of clocks that run out at these rates, the first ones are a choice without replacement.
    wide = emitter.cast(weights, ir.DataType.DOUBLE)
    waits = exponential_numbers(emitter, wide, 1.0, ir.DataType.DOUBLE)
    rates = emitter.Div(wide, emitter.Max(waits, math.ldexp(1.0, -60)))
    return emitter.TopK(rates, size_vector(emitter, [count]))[1]
