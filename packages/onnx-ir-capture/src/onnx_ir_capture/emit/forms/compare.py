"""Comparisons on dtypes that older forms do not take, and those that came late."""

from __future__ import annotations

import numpy as np
import onnx_ir as ir

from onnx_ir_capture.emit._calls import Argument
from onnx_ir_capture.emit._constants import as_value, dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._forms import NodeOutput, form

__all__ = ["equal", "greater_or_equal", "is_inf", "less_or_equal"]


@form("Equal", reviewed=19)
def equal(emitter: Emitter, A: Argument, B: Argument) -> NodeOutput:
    """Since 11: floats."""
    dtype = dtype_of(A, B)
    if emitter.opset >= 11 or dtype is None or not dtype.is_floating_point():
        return emitter.node("Equal", [A, B])
    # Neither less nor greater is true of NaN as well.
    unordered = emitter.Or(_is_nan(emitter, A, dtype), _is_nan(emitter, B, dtype))
    different = emitter.Or(emitter.Less(A, B), emitter.Greater(A, B))
    return emitter.Not(emitter.Or(different, unordered))


def _is_nan(emitter: Emitter, operand: Argument, dtype: ir.DataType) -> ir.Value:
    return emitter.IsNaN(as_value(emitter, operand, dtype))


@form("GreaterOrEqual", reviewed=16)
def greater_or_equal(emitter: Emitter, A: Argument, B: Argument) -> NodeOutput:
    """Since 12: exists; since 16 with a rule for the shape. "Not less" would be true of NaN."""
    if emitter.opset >= 16:
        return emitter.node("GreaterOrEqual", [A, B])
    return emitter.Or(emitter.Greater(A, B), emitter.Equal(A, B))


@form("LessOrEqual", reviewed=16)
def less_or_equal(emitter: Emitter, A: Argument, B: Argument) -> NodeOutput:
    """Since 12: exists; since 16 with a rule for the shape. "Not greater" would be true of NaN."""
    if emitter.opset >= 16:
        return emitter.node("LessOrEqual", [A, B])
    return emitter.Or(emitter.Less(A, B), emitter.Equal(A, B))


@form("IsInf", reviewed=20)
def is_inf(
    emitter: Emitter, X: Argument, *, detect_negative: int = 1, detect_positive: int = 1
) -> NodeOutput:
    """Since 10: exists."""
    if emitter.opset >= 10 or not (detect_negative or detect_positive):
        attributes = {"detect_negative": detect_negative, "detect_positive": detect_positive}
        return emitter.node("IsInf", [X], attributes)
    dtype = dtype_of(X) or ir.DataType.FLOAT
    largest = float(np.finfo(dtype.numpy()).max)
    if detect_negative and detect_positive:
        return emitter.Greater(emitter.Abs(X), largest)
    return emitter.Greater(X, largest) if detect_positive else emitter.Less(X, -largest)
