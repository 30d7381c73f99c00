"""Embeddings summed up by bags."""

from __future__ import annotations

import math

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit._dtypes import HALVES, dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._shapes import dimension

__all__ = ["bags_of_rows"]

_MEAN = 1

_MAX = 2


def bags_of_rows(
    emitter: Emitter,
    weight: Value,
    indices: Value,
    offsets: Value,
    mode: int,
    per_sample_weights: Value | None,
    include_last_offset: bool,
    padding_idx: int | None,
) -> tuple[Value, Value, Value, Value]:
    """Rows of ``weight`` reduced by bags; then the bag of each index, and the sizes of the bags."""
    if mode == _MAX:
        emitter.limit("a NaN that comes late in a bag is the largest, too, where PyTorch passes it over")
    dtype = dtype_of(emitter, weight)
    table = emitter.cast(weight, ir.DataType.FLOAT) if dtype in HALVES else weight
    places, starts = emitter.cast(indices, ir.DataType.INT64), emitter.cast(offsets, ir.DataType.INT64)
    if include_last_offset:
        starts = emitter.Slice(starts, [0], [-1], [0])
    bags = _bags(emitter, places, starts)
    counted = _counted(emitter, table, places, padding_idx)
    rows = emitter.Gather(table, places, axis=0)
    if per_sample_weights is not None:
        rows = emitter.Mul(
            rows, emitter.Unsqueeze(emitter.cast(per_sample_weights, dtype_of(emitter, table)), [1])
        )
    one = emitter.cast(counted, ir.DataType.INT64)
    zeros = emitter.Expand(emitter.constant(0), emitter.Shape(starts))
    sizes = emitter.ScatterElements(zeros, bags, one, axis=0, reduction="add")
    result = _combined(
        emitter, rows, bags, emitter.Unsqueeze(counted, [1]), emitter.Unsqueeze(sizes, [1]), mode
    )
    return emitter.cast(result, dtype), bags, sizes, emitter.constant([])


def _bags(emitter: Emitter, places: Value, starts: Value) -> Value:
    """For each index the last bag that starts at it or before."""
    number = emitter.Squeeze(emitter.Shape(places), [0])
    begun = emitter.LessOrEqual(starts, emitter.Unsqueeze(emitter.Range(0, number, 1), [1]))
    return emitter.Sub(emitter.ReduceSum(emitter.cast(begun, ir.DataType.INT64), [1], keepdims=0), 1)


def _counted(emitter: Emitter, table: Value, places: Value, padding_idx: int | None) -> Value:
    if padding_idx is None:
        return emitter.Equal(places, places)
    padding = emitter.constant(padding_idx)
    if padding_idx < 0:
        padding = emitter.Add(padding, dimension(emitter, table, 0))
    return emitter.Not(emitter.Equal(places, padding))


def _combined(emitter: Emitter, rows: Value, bags: Value, counted: Value, sizes: Value, mode: int) -> Value:
    largest = mode == _MAX
    kept = emitter.Where(counted, rows, -math.inf if largest else 0.0)
    shape = emitter.Concat(emitter.Shape(sizes, end=1), emitter.Shape(rows, start=1), axis=0)
    neutral = emitter.constant(-math.inf if largest else 0.0, dtype_of(emitter, rows))
    spread = emitter.Expand(emitter.Unsqueeze(bags, [1]), emitter.Shape(rows))
    reduction = "max" if largest else "add"
    result = emitter.ScatterElements(
        emitter.Expand(neutral, shape), spread, kept, axis=0, reduction=reduction
    )
    if mode == _MEAN:
        return emitter.Div(result, emitter.cast(emitter.Max(sizes, 1), dtype_of(emitter, rows)))
    return emitter.Where(emitter.Equal(sizes, 0), 0.0, result) if largest else result
