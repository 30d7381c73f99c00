"""Batch normalisation with the statistics that it computes and updates."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit._dtypes import dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._normalization import batch_normalized, batch_normalized_for_inference
from onnx_ir_capture.emit._promotion import promote_dtypes
from onnx_ir_capture.emit._shapes import dimension, rank_of

__all__ = ["batch_normalized_with_statistics", "batch_normalized_with_update"]


def batch_normalized_with_statistics(
    emitter: Emitter, input: Value, weight: Value | None, bias: Value | None, eps: float
) -> tuple[Value, Value, Value]:
    """``input`` normalised by channel, with each channel's mean and reciprocal of the deviation.

    torch computes the two in float32 at least; so they are given.
    """
    result, mean, rstd, _ = _normalized(emitter, input, weight, bias, eps)
    return result, mean, rstd


def batch_normalized_with_update(
    emitter: Emitter,
    input: Value,
    weight: Value | None,
    bias: Value | None,
    running_mean: Value,
    running_var: Value,
    training: bool,
    momentum: float,
    eps: float,
) -> tuple[Value, Value, Value, Value, Value]:
    """The same, and the running statistics afterwards: outside of training as they were."""
    if not training:
        found = batch_normalized_for_inference(emitter, input, weight, bias, running_mean, running_var, eps)
        return (*found, running_mean, running_var)
    result, mean, rstd, variance = _normalized(emitter, input, weight, bias, eps)
    count = emitter.cast(
        emitter.Div(emitter.Size(input), dimension(emitter, input, 1)), dtype_of(emitter, variance)
    )
    unbiased = emitter.Div(emitter.Mul(variance, count), emitter.Sub(count, 1.0))
    new_mean = _moved(emitter, running_mean, mean, momentum)
    return result, mean, rstd, new_mean, _moved(emitter, running_var, unbiased, momentum)


def _normalized(
    emitter: Emitter, input: Value, weight: Value | None, bias: Value | None, eps: float
) -> tuple[Value, Value, Value, Value]:
    """The result, and each channel's mean, reciprocal of the deviation, and biased variance."""
    given = [dtype_of(emitter, value) for value in (input, weight, bias) if value is not None]
    value = emitter.cast(input, promote_dtypes([*given, ir.DataType.FLOAT]))
    axes = [axis for axis in range(rank_of(emitter, input)) if axis != 1]
    mean = emitter.ReduceMean(value, axes)
    distance = emitter.Sub(value, mean)
    variance = emitter.ReduceMean(emitter.Mul(distance, distance), axes, keepdims=0)
    rstd = emitter.Reciprocal(emitter.Sqrt(emitter.Add(variance, eps)))
    result = batch_normalized(emitter, input, weight, bias, None, None, True, eps)
    return result, emitter.Squeeze(mean, axes), rstd, variance


def _moved(emitter: Emitter, running: Value, now: Value, momentum: float) -> Value:
    dtype = dtype_of(emitter, running)
    kept = emitter.Mul(emitter.cast(running, dtype_of(emitter, now)), 1.0 - momentum)
    return emitter.cast(emitter.Add(kept, emitter.Mul(now, momentum)), dtype)
