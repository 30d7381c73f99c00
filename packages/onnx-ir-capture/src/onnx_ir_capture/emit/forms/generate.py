"""Range and Trilu, spelled out where the opset does not have them."""

from __future__ import annotations

import numpy as np
import onnx_ir as ir

from onnx_ir_capture.emit._calls import Argument
from onnx_ir_capture.emit._constants import as_value, dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._forms import NodeOutput, form
from onnx_ir_capture.emit._shapes import dimension

__all__ = ["range_", "trilu"]


@form("Range", reviewed=27)
def range_(
    emitter: Emitter, start: Argument, limit: Argument, delta: Argument, *, stash_type: int = 1
) -> NodeOutput:
    """Since 27: half precision, with stash_type. Since 11: exists; before, indices of a tensor of ones."""
    dtype = dtype_of(start, limit, delta) or _literal_dtype(start, limit, delta)
    if emitter.opset >= 27:
        return emitter.node("Range", [start, limit, delta], {"stash_type": stash_type})
    if emitter.opset >= 11:
        return emitter.node("Range", [start, limit, delta])
    first, last, step = (as_value(emitter, operand, dtype) for operand in (start, limit, delta))
    one = ir.tensor(np.ones(1, np.int64), name="one")
    count = _count(emitter, emitter.Sub(last, first), step, dtype)
    ones = emitter.ConstantOfShape(emitter.Reshape(count, [1]), value=one)
    positions = emitter.cast(emitter.Squeeze(emitter.NonZero(ones), [0]), dtype)
    return emitter.Add(emitter.Mul(positions, step), first)


def _literal_dtype(*numbers: Argument) -> ir.DataType:
    """The dtype of numbers alone, as Emitter makes constants of them."""
    integers = all(isinstance(number, int) for number in numbers)
    return ir.DataType.INT64 if integers else ir.DataType.FLOAT


def _count(emitter: Emitter, distance: ir.Value, step: ir.Value, dtype: ir.DataType) -> ir.Value:
    """Source: Range's schema, max(ceil((limit - start) / delta), 0)."""
    if dtype.is_floating_point():
        count = emitter.cast(emitter.Ceil(emitter.Div(distance, step)), ir.DataType.INT64)
        return emitter.Max(count, 0)
    quotient = emitter.Div(distance, step)
    rest = emitter.Sub(distance, emitter.Mul(quotient, step))
    # Truncated division came out below the exact quotient where both signs agree and something is left.
    alike = emitter.Not(emitter.Xor(emitter.Less(distance, 0), emitter.Less(step, 0)))
    short = emitter.And(alike, emitter.Not(emitter.Equal(rest, 0)))
    rounded = emitter.Where(short, emitter.Add(quotient, 1), quotient)
    return emitter.Max(emitter.cast(rounded, ir.DataType.INT64), 0)


@form("Trilu", reviewed=14)
def trilu(emitter: Emitter, input: Argument, k: Argument | None = None, *, upper: int = 1) -> NodeOutput:
    """Since 14: exists; before, a choice by the difference of column and row."""
    if emitter.opset >= 14:
        return emitter.node("Trilu", [input] if k is None else [input, k], {"upper": upper})
    dtype = dtype_of(input) or ir.DataType.FLOAT
    value = as_value(emitter, input, dtype)
    rows, columns = (_positions(emitter, value, axis) for axis in (-2, -1))
    offset = emitter.Sub(emitter.Unsqueeze(columns, [0]), emitter.Unsqueeze(rows, [1]))
    bound = as_value(emitter, 0 if k is None else k, ir.DataType.INT64)
    outside = emitter.Less(offset, bound) if upper else emitter.Greater(offset, bound)
    return emitter.Where(outside, emitter.constant(0, dtype), value)


def _positions(emitter: Emitter, value: ir.Value, axis: int) -> ir.Value:
    size = dimension(emitter, value, axis)
    if isinstance(size, int):
        return emitter.constant(np.arange(size), ir.DataType.INT64)
    start, step = (emitter.constant(number, ir.DataType.INT64) for number in (0, 1))
    return emitter.Range(start, size, step)
