"""Parts of tensors and of shapes: Slice, Split, Shape, Gather and scatter."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.emit._calls import Argument, AttributeValue
from onnx_ir_capture.emit._constants import as_value, constant_ints, constant_number, static_rank
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._fitting import without_later_additions
from onnx_ir_capture.emit._forms import NodeOutput, form
from onnx_ir_capture.emit._frame import constant_tensor
from onnx_ir_capture.emit._shapes import dimension

__all__ = ["gather", "scatter_elements", "shape", "slice_", "split"]

_END = 2**63 - 1
"""Stands for the end of any tensor."""


@form("Slice", reviewed=13)
def slice_(
    emitter: Emitter,
    data: Argument,
    starts: Argument,
    ends: Argument,
    axes: Argument | None = None,
    steps: Argument | None = None,
) -> NodeOutput:
    """Since 10: bounds, axes and steps are inputs; before, every step was 1.

    What the form before cannot say is picked by Gather, at a range of positions.
    """
    if emitter.opset >= 10:
        inputs = [data, starts, ends, axes, steps]
        while inputs[-1] is None:
            inputs.pop()
        if emitter.opset < 11 and axes is not None:
            inputs[3] = _front(emitter, data, constant_ints(emitter, axes, "the axes of Slice", since=11))
        return emitter.node("Slice", inputs)
    strides = () if steps is None else constant_ints(emitter, steps, "the steps of Slice", since=10)
    if not (_is_constant(starts) and _is_constant(ends) and set(strides) <= {1}):
        return _picked(emitter, data, starts, ends, axes, strides)
    attributes: dict[str, AttributeValue] = {
        "starts": constant_ints(emitter, starts, "the starts of Slice", since=10),
        "ends": constant_ints(emitter, ends, "the ends of Slice", since=10),
    }
    if axes is not None:
        attributes["axes"] = constant_ints(emitter, axes, "the axes of Slice", since=10)
    return emitter.node("Slice", [data], attributes)


def _is_constant(bounds: Argument) -> bool:
    return not isinstance(bounds, ir.Value) or constant_tensor(bounds) is not None


def _picked(
    emitter: Emitter,
    data: Argument,
    starts: Argument,
    ends: Argument,
    axes: Argument | None,
    steps: Sequence[int],
) -> NodeOutput:
    value = as_value(emitter, data, ir.DataType.FLOAT)
    rank = static_rank(emitter, value, "Slice by computed bounds or with a step", since=10)
    chosen = _first_axes(starts, rank) if axes is None else constant_ints(emitter, axes, "the axes", since=10)
    for place, axis in enumerate(chosen):
        size = as_value(emitter, dimension(emitter, value, axis), ir.DataType.INT64)
        step = steps[place] if steps else 1
        down = int(step < 0)
        start = _clamped(emitter, _nth(emitter, starts, place), size, 0, down)
        end = _clamped(emitter, _nth(emitter, ends, place), size, -down, down)
        positions = emitter.Range(start, end, emitter.constant(step))
        value = emitter.node("Gather", [value, positions], {"axis": axis % rank})[0]
    return value


def _first_axes(bounds: Argument, rank: int) -> Sequence[int]:
    sizes = bounds.shape if isinstance(bounds, ir.Value) and bounds.shape is not None else ()
    given = [size for size in sizes if isinstance(size, int)]
    if isinstance(bounds, Sequence):
        given = [len(bounds)]
    return range(given[0] if given else rank)


def _nth(emitter: Emitter, bounds: Argument, place: int) -> ir.Value | int:
    if isinstance(bounds, ir.Value) and constant_tensor(bounds) is None:
        return emitter.Gather(bounds, emitter.constant(place), axis=0)
    return constant_ints(emitter, bounds, "the bounds of Slice", since=10)[place]


def _clamped(emitter: Emitter, bound: ir.Value | int, size: ir.Value, low: int, down: int) -> ir.Value:
    """A position from ``low`` to ``size - down``. Source: Slice's schema, for steps up and ``down``."""
    last = emitter.Sub(size, 1) if down else size
    if isinstance(bound, int) and bound >= 0:
        return last if bound == _END else emitter.Min(emitter.constant(bound), last)
    position = as_value(emitter, bound, ir.DataType.INT64)
    front = emitter.Where(emitter.Less(position, 0), emitter.Add(position, size), position)
    return emitter.Min(emitter.Max(front, low), last)


def _front(emitter: Emitter, data: Argument, axes: Sequence[int]) -> Sequence[int]:
    if all(axis >= 0 for axis in axes):
        return axes
    rank = static_rank(emitter, data, "Slice along a negative axis", since=11)
    return [axis % rank for axis in axes]


@form("Split", reviewed=18)
def split(
    emitter: Emitter,
    input: Argument,
    split: Argument | None = None,
    *,
    axis: int = 0,
    num_outputs: int | None = None,
    outputs: int,
) -> NodeOutput:
    """Since 18: num_outputs, which allows a smaller last part. Since 13: the sizes are an input."""
    if split is None:
        count = outputs if num_outputs is None else num_outputs
        if emitter.opset >= 18:
            return emitter.node("Split", [input], {"axis": axis, "num_outputs": count}, outputs)
        split = _even_parts(emitter, input, axis, count)
    if emitter.opset >= 13:
        return emitter.node("Split", [input, split], {"axis": axis}, outputs)
    sizes = constant_ints(emitter, split, "the sizes of Split", since=13)
    return emitter.node("Split", [input], {"axis": axis, "split": sizes}, outputs)


def _even_parts(emitter: Emitter, input: Argument, axis: int, count: int) -> list[int]:
    size = input.shape[axis] if isinstance(input, ir.Value) and input.shape is not None else None
    if not isinstance(size, int):
        emitter.refuse("Split into parts of a size known only at run time can be written from opset 18", 18)
    part = -(-size // count)
    if part * (count - 1) > size:
        emitter.refuse(f"Split of {size} into {count} parts leaves less than nothing for the last")
    return [part] * (count - 1) + [size - part * (count - 1)]


@form("Shape", reviewed=25)
def shape(emitter: Emitter, data: Argument, *, start: int = 0, end: int | None = None) -> NodeOutput:
    """Since 15: start and end."""
    if emitter.opset >= 15:
        bounds: dict[str, AttributeValue] = {"start": start} if start else {}
        return emitter.node("Shape", [data], bounds if end is None else {**bounds, "end": end})
    (whole,) = emitter.node("Shape", [data])
    if start == 0 and end is None:
        return whole
    part = emitter.Slice(whole, [start], [_END if end is None else end], [0])
    if isinstance(data, ir.Value) and data.shape is not None:
        part.shape = ir.Shape([len(range(len(data.shape))[start:end])])
    return part


@form("Gather", reviewed=13)
def gather(emitter: Emitter, data: Argument, indices: Argument, *, axis: int = 0) -> NodeOutput:
    """Since 11: indices may count from the back."""
    if emitter.opset < 11:
        indices = _front_indices(emitter, data, indices, axis)
    return emitter.node("Gather", [data, indices], {"axis": axis})


def _front_indices(emitter: Emitter, data: Argument, indices: Argument, axis: int) -> Argument:
    """``indices`` without negative ones; constants are looked at, anything else costs three nodes."""
    if not isinstance(data, ir.Value):
        return indices
    number = constant_number(indices)
    if number is not None and number >= 0:
        return indices
    positions = as_value(emitter, indices, ir.DataType.INT64)
    size = as_value(emitter, dimension(emitter, data, axis), ir.DataType.INT64)
    size = emitter.cast(size, positions.dtype or ir.DataType.INT64)
    return emitter.Where(emitter.Less(positions, 0), emitter.Add(positions, size), positions)


@form("ScatterElements", reviewed=18)
def scatter_elements(
    emitter: Emitter,
    data: Argument,
    indices: Argument,
    updates: Argument,
    *,
    axis: int = 0,
    reduction: str = "none",
) -> NodeOutput:
    """Since 18: extrema. Since 16: reductions. Since 11: exists; before, Scatter took no negative indices."""
    if reduction in ("max", "min") and emitter.opset < 18:
        emitter.refuse(f"ScatterElements with reduction {reduction} can be written from opset 18", 18)
    if emitter.opset < 11:
        if reduction != "none":
            emitter.refuse("ONNX operator ScatterElements has the attribute reduction from opset 16", 16)
        front = _front_indices(emitter, data, indices, axis)
        return emitter.node("Scatter", [data, front, updates], {"axis": axis})
    inputs, attributes = without_later_additions(
        emitter, "ScatterElements", [data, indices, updates], {"axis": axis, "reduction": reduction}
    )
    return emitter.node("ScatterElements", inputs, attributes)
