"""Floats to integers on a grid, and back: (integer - zero point) * scale."""

from __future__ import annotations

from typing import TypeAlias

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit._dtypes import dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._shapes import normalize_axis, rank_of

__all__ = ["dequantized", "fake_quantized", "quantized"]

_Number: TypeAlias = "float | Value"
"""A scale or zero point: constant, or a tensor with one element, or with one for each place on an axis."""

_RANGES = {
    ir.DataType.UINT8: (0, 2**8 - 1),
    ir.DataType.INT8: (-(2**7), 2**7 - 1),
    ir.DataType.UINT16: (0, 2**16 - 1),
    ir.DataType.INT16: (-(2**15), 2**15 - 1),
}


def quantized(
    emitter: Emitter,
    value: Value,
    scale: _Number,
    zero_point: _Number,
    limits: tuple[int, int],
    dtype: ir.DataType,
    axis: int | None = None,
) -> Value:
    """The integers of ``dtype``, within ``limits``, that are next to ``value`` on the grid.

    Exactly between two of them ONNX takes the even one before it adds the zero point.
    """
    if dtype not in _RANGES:
        emitter.refuse(f"ONNX quantizes to integers of 8 and 16 bits, and these are {dtype.name}")
    given = emitter.cast(value, ir.DataType.FLOAT)
    result = emitter.QuantizeLinear(
        given, *_grid(emitter, scale, zero_point, dtype, axis), **_axis(emitter, value, axis)
    )
    return _limited(emitter, result, limits, dtype)


def _limited(emitter: Emitter, value: Value, limits: tuple[int, int], dtype: ir.DataType) -> Value:
    low, high = limits
    least, most = _RANGES[dtype]
    if low > least:
        value = emitter.Max(value, emitter.constant(low, dtype))
    return emitter.Min(value, emitter.constant(high, dtype)) if high < most else value


def dequantized(
    emitter: Emitter, value: Value, scale: _Number, zero_point: _Number | None, axis: int | None = None
) -> Value:
    """The numbers that integers on a grid stand for."""
    dtype = dtype_of(emitter, value)
    scales, zero_points = _grid(emitter, scale, 0 if zero_point is None else zero_point, dtype, axis)
    has_axes = emitter.has("DequantizeLinear", dtype) and (axis is None or emitter.opset >= _AXES_SINCE)
    if has_axes or axis is None:
        return emitter.DequantizeLinear(value, scales, zero_points, **_axis(emitter, value, axis))
    rank = rank_of(emitter, value)
    shape = [1] * rank
    shape[normalize_axis(axis, rank)] = -1
    steps = emitter.Sub(
        emitter.cast(value, ir.DataType.FLOAT),
        emitter.Reshape(emitter.cast(zero_points, ir.DataType.FLOAT), shape),
    )
    return emitter.Mul(steps, emitter.Reshape(scales, shape))


_AXES_SINCE = 13


def _grid(
    emitter: Emitter, scale: _Number, zero_point: _Number, dtype: ir.DataType, axis: int | None
) -> tuple[Value, Value]:
    return (
        _tensor(emitter, scale, ir.DataType.FLOAT, axis),
        _tensor(emitter, zero_point, dtype, axis),
    )


def _tensor(emitter: Emitter, number: _Number, dtype: ir.DataType, axis: int | None) -> Value:
    if not isinstance(number, ir.Value):
        return emitter.constant(number, dtype)
    tensor = emitter.cast(number, dtype)
    is_scalar = tensor.shape is not None and len(tensor.shape) == 0
    return tensor if axis is not None or is_scalar else emitter.Reshape(tensor, emitter.constant([]))


def _axis(emitter: Emitter, value: Value, axis: int | None) -> dict[str, int]:
    return {} if axis is None else {"axis": normalize_axis(axis, rank_of(emitter, value))}


def fake_quantized(
    emitter: Emitter,
    value: Value,
    scale: _Number,
    zero_point: _Number,
    limits: tuple[int, int],
    axis: int | None = None,
) -> Value:
    """The numbers on the grid that are next to ``value``, in its own dtype."""
    low, high = limits
    dtype = next((known for known, (least, most) in _RANGES.items() if least <= low and high <= most), None)
    if dtype is None or not emitter.has("QuantizeLinear") or dtype_of(emitter, value) == ir.DataType.DOUBLE:
        emitter.refuse(f"there is no grid from {low} to {high} for {dtype_of(emitter, value).name}")
    integers = quantized(emitter, value, scale, zero_point, limits, dtype, axis)
    result = dequantized(emitter, integers, scale, zero_point, axis)
    return emitter.cast(result, dtype_of(emitter, value))
