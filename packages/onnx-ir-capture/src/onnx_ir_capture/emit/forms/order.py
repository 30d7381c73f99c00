"""TopK: the smallest elements and integers, where only the largest floats can be asked for."""

from __future__ import annotations

import math
from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.emit._calls import Argument, AttributeValue
from onnx_ir_capture.emit._constants import as_value, constant_ints, dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._forms import NodeOutput, form

__all__ = ["top_k"]

_AS_FLOATS = {
    ir.DataType.INT8: ir.DataType.FLOAT,
    ir.DataType.UINT8: ir.DataType.FLOAT,
    ir.DataType.INT16: ir.DataType.FLOAT,
    ir.DataType.UINT16: ir.DataType.FLOAT,
    ir.DataType.INT32: ir.DataType.DOUBLE,
    ir.DataType.UINT32: ir.DataType.DOUBLE,
}
"""Floats that hold every integer of a dtype."""

_WITH_ROOM = {ir.DataType.FLOAT16: ir.DataType.FLOAT, ir.DataType.FLOAT: ir.DataType.DOUBLE}
"""Floats with numbers past the largest finite one of a dtype."""


@form("TopK", reviewed=24)
def top_k(
    emitter: Emitter,
    X: Argument,
    K: Argument,
    *,
    axis: int = -1,
    largest: int = 1,
    sorted: int = 1,
    outputs: int = 2,
) -> NodeOutput:
    """Since 11: largest, sorted, and integers. Since 10: K is an input. An unsorted result may be sorted.

    NaN counts as larger than every number, as in ONNX Runtime and in torch; ONNX leaves its place open.
    """
    if emitter.opset >= 11:
        attributes = {"axis": axis, "largest": largest, "sorted": sorted}
        return emitter.node("TopK", [X, K], attributes, outputs)
    dtype = dtype_of(X) or ir.DataType.FLOAT
    value = as_value(emitter, X, dtype)
    wide = _AS_FLOATS.get(dtype)
    if wide is not None:
        number = emitter.cast(value, wide)
        found, indices = _largest(emitter, number if largest else emitter.Neg(number), K, axis)
        return emitter.cast(found if largest else emitter.Neg(found), dtype), indices
    return _largest(emitter, value, K, axis) if largest else _smallest(emitter, value, K, axis, dtype)


def _largest(emitter: Emitter, value: ir.Value, count: Argument, axis: int) -> Sequence[ir.Value]:
    if emitter.opset >= 10:
        return emitter.node("TopK", [value, count], {"axis": axis}, 2)
    (known,) = constant_ints(emitter, count, "the number K of TopK", since=10)
    if known == 0:
        # As an attribute, K is one at least.
        nothing = emitter.Slice(value, [0], [0], [axis])
        return nothing, emitter.cast(nothing, ir.DataType.INT64)
    attributes: dict[str, AttributeValue] = {"axis": axis, "k": known}
    return emitter.node("TopK", [value], attributes, 2)


def _smallest(
    emitter: Emitter, value: ir.Value, count: Argument, axis: int, dtype: ir.DataType
) -> Sequence[ir.Value]:
    """The largest of the negated: infinity stays before NaN as a number that the narrow dtype lacks."""
    wide = _WITH_ROOM.get(dtype)
    if wide is None:
        emitter.refuse(f"the smallest elements of {dtype.name} can be asked for from opset 11", 11)
    limit = float(wide.max)
    negated = emitter.Max(emitter.Neg(emitter.cast(value, wide)), -limit)
    key = emitter.Where(emitter.IsNaN(value), -math.inf, negated)
    found, indices = _largest(emitter, key, count, axis)
    infinite, undefined = emitter.Less(found, -float(dtype.max)), emitter.Less(found, -limit)
    finite = emitter.cast(emitter.Neg(emitter.Where(infinite, 0.0, found)), dtype)
    return emitter.Where(undefined, math.nan, emitter.Where(infinite, math.inf, finite)), indices
