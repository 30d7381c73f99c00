"""Classes as rows with a single 1."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._shapes import rank_of

__all__ = ["one_hot_rows"]


def _needed(emitter: Emitter, classes: Value) -> Value:
    return emitter.Add(emitter.ReduceMax(classes, keepdims=0), 1)


def one_hot_rows(emitter: Emitter, value: Value, num_classes: int) -> Value:
    """A row for each class of ``value``, with a single 1 in the place of the class; -1 counts the classes."""
    classes = emitter.cast(value, ir.DataType.INT64)
    count = emitter.constant(num_classes) if num_classes >= 0 else _needed(emitter, classes)
    if rank_of(emitter, classes):
        return emitter.OneHot(classes, count, emitter.constant([0, 1]), axis=-1)
    return emitter.Squeeze(
        emitter.OneHot(emitter.Reshape(classes, [1]), count, emitter.constant([0, 1]), axis=-1), [0]
    )
