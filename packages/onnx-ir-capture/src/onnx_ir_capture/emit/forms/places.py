"""Elements at places that indices name: without the operators, by their places in the flattened tensor."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import SymInt
from onnx_ir_capture.emit._calls import Argument
from onnx_ir_capture.emit._constants import as_value, dtype_of, static_rank
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._fitting import without_later_additions
from onnx_ir_capture.emit._flattening import offsets, strides_of, times, total, unflattened
from onnx_ir_capture.emit._forms import NodeOutput, form
from onnx_ir_capture.emit._shapes import dimension, size_vector

__all__ = ["gather_elements", "gather_nd", "scatter_nd"]

_INT64 = ir.DataType.INT64


@form("GatherElements", reviewed=13)
def gather_elements(emitter: Emitter, data: Argument, indices: Argument, *, axis: int = 0) -> NodeOutput:
    """Since 11: exists."""
    if emitter.opset >= 11:
        return emitter.node("GatherElements", [data, indices], {"axis": axis})
    value, places = _values(emitter, data, indices)
    rank = static_rank(emitter, value, "GatherElements", since=11)
    axis %= rank
    strides = strides_of(emitter, _sizes(emitter, value))
    lines = [
        offsets(emitter, dimension(emitter, places, other), strides[other], other - rank)
        for other in range(rank)
        if other != axis
    ]
    chosen = times(emitter, _front(emitter, places, dimension(emitter, value, axis)), strides[axis])
    return _at(emitter, value, total(emitter, [chosen, *lines]))


@form("GatherND", reviewed=13)
def gather_nd(emitter: Emitter, data: Argument, indices: Argument, *, batch_dims: int = 0) -> NodeOutput:
    """Since 12: batch_dims. Since 11: exists."""
    if emitter.opset >= 11:
        inputs, attributes = without_later_additions(
            emitter, "GatherND", [data, indices], {"batch_dims": batch_dims}
        )
        return emitter.node("GatherND", inputs, attributes)
    if batch_dims:
        emitter.refuse("GatherND with batch_dims can be written from opset 12", 12)
    value, places = _values(emitter, data, indices)
    return _at(emitter, value, _places(emitter, value, places, "GatherND"))


@form("ScatterND", reviewed=18)
def scatter_nd(
    emitter: Emitter, data: Argument, indices: Argument, updates: Argument, *, reduction: str = "none"
) -> NodeOutput:
    """Since 18: extrema. Since 16: reductions. Since 11: exists."""
    if reduction in ("max", "min") and emitter.opset < 18:
        emitter.refuse(f"ScatterND with reduction {reduction} can be written from opset 18", 18)
    if emitter.opset >= 11:
        inputs, attributes = without_later_additions(
            emitter, "ScatterND", [data, indices, updates], {"reduction": reduction}
        )
        return emitter.node("ScatterND", inputs, attributes)
    if reduction != "none":
        emitter.refuse("ONNX operator ScatterND has the attribute reduction from opset 16", 16)
    value, positions = _values(emitter, data, indices)
    places = _places(emitter, value, positions, "ScatterND")
    line, where, new = (
        emitter.Reshape(part, [-1])
        for part in (value, places, as_value(emitter, updates, dtype_of(value) or ir.DataType.FLOAT))
    )
    return _unflattened(emitter, emitter.node("Scatter", [line, where, new], {"axis": 0})[0], value)


def _values(emitter: Emitter, data: Argument, indices: Argument) -> tuple[ir.Value, ir.Value]:
    return as_value(emitter, data, ir.DataType.FLOAT), emitter.cast(
        as_value(emitter, indices, _INT64), _INT64
    )


def _at(emitter: Emitter, value: ir.Value, places: ir.Value) -> NodeOutput:
    return emitter.node("Gather", [emitter.Reshape(value, [-1]), places], {"axis": 0})


def _places(emitter: Emitter, value: ir.Value, indices: ir.Value, operator: str) -> ir.Value:
    """Places in the flattened ``value`` of the members that the last axis of ``indices`` names."""
    rank = static_rank(emitter, value, operator, since=11)
    count = indices.shape[-1] if indices.shape is not None else None
    if not isinstance(count, int):
        emitter.refuse(f"{operator} by an unknown number of indices can be written from opset 11", 11)
    strides = strides_of(emitter, _sizes(emitter, value))
    sizes = size_vector(emitter, [dimension(emitter, value, axis) for axis in range(count)])
    steps = size_vector(emitter, strides[:count])
    first = emitter.ReduceSum(emitter.Mul(_front(emitter, indices, sizes), steps), [-1], keepdims=0)
    if count == rank:
        return first
    width = static_rank(emitter, first, operator, since=11)
    first = emitter.Unsqueeze(first, list(range(width, width + rank - count)))
    members = [
        offsets(emitter, dimension(emitter, value, axis), strides[axis], axis - rank)
        for axis in range(count, rank)
    ]
    return total(emitter, [first, *members])


def _front(emitter: Emitter, indices: ir.Value, sizes: Argument) -> ir.Value:
    """``indices`` without negative ones."""
    return emitter.Where(emitter.Less(indices, 0), emitter.Add(indices, sizes), indices)


def _sizes(emitter: Emitter, value: ir.Value) -> list[SymInt]:
    rank = static_rank(emitter, value, "a flattened tensor", since=11)
    return [dimension(emitter, value, axis) for axis in range(rank)]


def _unflattened(emitter: Emitter, line: ir.Value, like: ir.Value) -> NodeOutput:
    sizes = _sizes(emitter, like)
    if 0 in sizes:
        return like
    if sum(isinstance(size, ir.Value) for size in sizes) <= 1:
        return emitter.Reshape(line, [size if isinstance(size, int) else -1 for size in sizes])
    return unflattened(emitter, line, sizes)
