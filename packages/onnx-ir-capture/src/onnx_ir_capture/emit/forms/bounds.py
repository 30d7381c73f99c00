"""Clip, Max, Min and Relu: order on dtypes that older forms do not take."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import onnx_ir as ir

from onnx_ir_capture.emit._calls import Argument
from onnx_ir_capture.emit._constants import constant_number, dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._forms import FormFunction, NodeOutput, form

__all__ = ["clip", "relu"]

# What Clip's kernels in ONNX Runtime take before 12, the other float types being cast to and fro.
_EARLY_CLIP = (ir.DataType.FLOAT, ir.DataType.FLOAT16, ir.DataType.BFLOAT16)


@form("Clip", reviewed=13)
def clip(
    emitter: Emitter, input: Argument, min: Argument | None = None, max: Argument | None = None
) -> NodeOutput:
    """Since 12: integers. Since 11: the bounds are inputs.

    A bound that is left out becomes an infinite one: ONNX Runtime puts the largest finite number in its
    place, and so do the defaults of the form before 11, which would cut infinity off.
    """
    bounds = [bound for bound in (min, max) if bound is not None]
    if not bounds:
        return emitter.Identity(input)
    early = dtype_of(input) in _EARLY_CLIP
    if emitter.opset >= 12 or (early and emitter.opset == 11):
        return emitter.node("Clip", [input, *_infinite_if_missing(emitter, dtype_of(input), min, max)])
    low, high = _attribute(min, -math.inf), _attribute(max, math.inf)
    # The form before 11 leaves bounds that cross open; of the newer ones, the upper bound counts.
    if early and low is not None and high is not None and low <= high:
        return emitter.node("Clip", [input], {"min": low, "max": high})
    if min is None:
        return emitter.Min(input, *bounds)
    return emitter.Max(input, min) if max is None else emitter.Min(emitter.Max(input, min), max)


def _infinite_if_missing(
    emitter: Emitter, dtype: ir.DataType | None, low: Argument | None, high: Argument | None
) -> list[Argument | None]:
    if dtype is None or not dtype.is_floating_point():
        return [low] if high is None else [low, high]
    bounds = (low, -math.inf), (high, math.inf)
    return [emitter.constant(limit, dtype) if bound is None else bound for bound, limit in bounds]


def _attribute(bound: Argument | None, default: float) -> float | None:
    """The bound as an attribute, None where it is computed or is none of float32's values."""
    number = default if bound is None else constant_number(bound)
    if number is None:
        return None
    with np.errstate(over="ignore"):
        return float(number) if float(np.float32(number)) == number else None


@form("Relu", reviewed=14)
def relu(emitter: Emitter, X: Argument) -> NodeOutput:
    """Since 14: signed integers."""
    dtype = dtype_of(X)
    if emitter.opset < 14 and dtype is not None and dtype.is_integer():
        return emitter.Max(X, 0)
    return emitter.node("Relu", [X])


def _extremum(op_type: str, first_wins: Callable[[Emitter, Argument, Argument], ir.Value]) -> FormFunction:
    def extremum(emitter: Emitter, *data: Argument) -> NodeOutput:
        dtype = dtype_of(*data)
        if emitter.opset < 8 and not _same_shape(data):
            emitter.refuse(f"{op_type} of different shapes can be written from opset 8", 8)
        if emitter.opset >= 12 or dtype is None or not dtype.is_integer():
            return emitter.node(op_type, data)
        # The pairwise choice needs no care for NaN: these are integers.
        result = data[0]
        for item in data[1:]:
            result = emitter.Where(first_wins(emitter, result, item), result, item)
        return emitter.Identity(result) if len(data) == 1 else _value(result)

    extremum.__doc__ = f"{op_type}. Since 12: integers. Since 8: shapes are broadcast."
    return extremum


def _same_shape(operands: Sequence[Argument]) -> bool:
    shapes = [operand.shape if isinstance(operand, ir.Value) else None for operand in operands]
    return shapes[0] is not None and all(shape == shapes[0] for shape in shapes)


def _value(operand: Argument) -> ir.Value:
    if not isinstance(operand, ir.Value):
        raise TypeError(f"{operand!r} is no value of the graph")
    return operand


form("Max", reviewed=13)(_extremum("Max", lambda emitter, a, b: emitter.Greater(a, b)))
form("Min", reviewed=13)(_extremum("Min", lambda emitter, a, b: emitter.Less(a, b)))
