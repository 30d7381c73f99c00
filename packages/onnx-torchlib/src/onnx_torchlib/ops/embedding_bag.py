"""Embeddings summed up by bags."""

from __future__ import annotations

import math

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import HALVES, dimension, dtype_of
from onnx_torchlib import Op, translator

__all__ = ["embedding_bag", "embedding_bag_forward"]

_SUM, _MEAN, _MAX = range(3)


@translator("aten::embedding_bag", "aten::embedding_bag.padding_idx")
def embedding_bag(
    op: Op,
    weight: Value,
    indices: Value,
    offsets: Value,
    scale_grad_by_freq: bool = False,
    mode: int = _SUM,
    sparse: bool = False,
    per_sample_weights: Value | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> tuple[Value, Value, Value, Value]:
    """embedding_bag.padding_idx(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq, int mode, bool sparse, Tensor? per_sample_weights, bool include_last_offset, int? padding_idx) -> (Tensor, Tensor, Tensor, Tensor)

    Only the first result is torch's; the others serve the backward pass alone, and torch itself leaves out some.
    """
    if mode == _MAX:
        op.limit("a NaN that comes late in a bag is the largest, too, where PyTorch passes it over")
    dtype = dtype_of(op, weight)
    table = op.cast(weight, ir.DataType.FLOAT) if dtype in HALVES else weight
    places, starts = op.cast(indices, ir.DataType.INT64), op.cast(offsets, ir.DataType.INT64)
    if include_last_offset:
        starts = op.Slice(starts, [0], [-1], [0])
    bags = _bags(op, places, starts)
    counted = _counted(op, table, places, padding_idx)
    rows = op.Gather(table, places, axis=0)
    if per_sample_weights is not None:
        rows = op.Mul(rows, op.Unsqueeze(op.cast(per_sample_weights, dtype_of(op, table)), [1]))
    one = op.cast(counted, ir.DataType.INT64)
    zeros = op.Expand(op.constant(0), op.Shape(starts))
    sizes = op.ScatterElements(zeros, bags, one, axis=0, reduction="add")
    result = _combined(op, rows, bags, op.Unsqueeze(counted, [1]), op.Unsqueeze(sizes, [1]), mode)
    return op.cast(result, dtype), bags, sizes, op.constant([])


@translator("aten::_embedding_bag", "aten::_embedding_bag_forward_only")
def embedding_bag_forward(
    op: Op,
    weight: Value,
    indices: Value,
    offsets: Value,
    scale_grad_by_freq: bool = False,
    mode: int = _SUM,
    sparse: bool = False,
    per_sample_weights: Value | None = None,
    include_last_offset: bool = False,
    padding_idx: int = -1,
) -> tuple[Value, Value, Value, Value]:
    """_embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)"""
    # Here a negative index says that there is no padding; in embedding_bag it counts from the last row.
    padding = padding_idx if padding_idx >= 0 else None
    options = (scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset, padding)
    return embedding_bag(op, weight, indices, offsets, *options)


def _bags(op: Op, places: Value, starts: Value) -> Value:
    """For each index the last bag that starts at it or before."""
    number = op.Squeeze(op.Shape(places), [0])
    begun = op.LessOrEqual(starts, op.Unsqueeze(op.Range(0, number, 1), [1]))
    return op.Sub(op.ReduceSum(op.cast(begun, ir.DataType.INT64), [1], keepdims=0), 1)


def _counted(op: Op, table: Value, places: Value, padding_idx: int | None) -> Value:
    if padding_idx is None:
        return op.Equal(places, places)
    padding = op.constant(padding_idx)
    if padding_idx < 0:
        padding = op.Add(padding, dimension(op, table, 0))
    return op.Not(op.Equal(places, padding))


def _combined(op: Op, rows: Value, bags: Value, counted: Value, sizes: Value, mode: int) -> Value:
    largest = mode == _MAX
    kept = op.Where(counted, rows, -math.inf if largest else 0.0)
    shape = op.Concat(op.Shape(sizes, end=1), op.Shape(rows, start=1), axis=0)
    neutral = op.constant(-math.inf if largest else 0.0, dtype_of(op, rows))
    spread = op.Expand(op.Unsqueeze(bags, [1]), op.Shape(rows))
    reduction = "max" if largest else "add"
    result = op.ScatterElements(op.Expand(neutral, shape), spread, kept, axis=0, reduction=reduction)
    if mode == _MEAN:
        return op.Div(result, op.cast(op.Max(sizes, 1), dtype_of(op, rows)))
    return op.Where(op.Equal(sizes, 0), 0.0, result) if largest else result
