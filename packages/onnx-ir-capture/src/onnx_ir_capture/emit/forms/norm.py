"""Normalisation and dropout."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.emit._calls import Argument
from onnx_ir_capture.emit._constants import as_value, constant_number, dtype_of, static_rank
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._forms import NodeOutput, form

__all__ = ["dropout", "layer_normalization"]


@form("LayerNormalization", reviewed=17)
def layer_normalization(
    emitter: Emitter,
    X: Argument,
    Scale: Argument,
    B: Argument | None = None,
    *,
    axis: int = -1,
    epsilon: float = 1e-5,
    stash_type: int = 1,
    outputs: int = 1,
) -> NodeOutput:
    """Since 17: exists. Source: its function body; double is not rounded to float32 on the way."""
    if emitter.opset >= 17:
        attributes = {"axis": axis, "epsilon": epsilon, "stash_type": stash_type}
        inputs = [X, Scale] if B is None else [X, Scale, B]
        return emitter.node("LayerNormalization", inputs, attributes, outputs)
    dtype = dtype_of(X) or ir.DataType.FLOAT
    value = as_value(emitter, X, dtype)
    if dtype in (ir.DataType.FLOAT16, ir.DataType.BFLOAT16):
        value = emitter.cast(value, ir.DataType(stash_type))
    if axis >= 0:
        axis -= static_rank(emitter, X, "LayerNormalization from a positive axis", since=17)
    axes = list(range(axis, 0))
    mean = emitter.ReduceMean(value, axes, keepdims=1)
    centred = emitter.Sub(value, mean)
    variance = emitter.ReduceMean(emitter.Mul(centred, centred), axes, keepdims=1)
    deviation = emitter.Sqrt(emitter.Add(variance, epsilon))
    scaled = emitter.Mul(emitter.cast(emitter.Div(centred, deviation), dtype), Scale)
    result = scaled if B is None else emitter.Add(scaled, B)
    if outputs == 1:
        return result
    return [result, mean, emitter.Reciprocal(deviation)][:outputs]


@form("Dropout", reviewed=22)
def dropout(
    emitter: Emitter,
    data: Argument,
    ratio: Argument | None = None,
    training_mode: Argument | None = None,
    *,
    seed: int | None = None,
    outputs: int = 1,
) -> NodeOutput:
    """Since 12: ratio and training_mode are inputs; before, a file could only hold inference."""
    if emitter.opset >= 12:
        attributes = {} if seed is None else {"seed": seed}
        return emitter.node("Dropout", [data, ratio, training_mode], attributes, outputs)
    if training_mode is not None and constant_number(training_mode) != 0:
        emitter.refuse("dropout in training mode can be written from opset 12", 12)
    return emitter.node("Dropout", [data], outputs=outputs)
