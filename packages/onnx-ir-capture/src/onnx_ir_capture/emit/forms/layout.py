"""Shapes and borders: Reshape, Pad, Gemm without its third term, and names of GridSample's modes."""

from __future__ import annotations

import numpy as np
import onnx_ir as ir

from onnx_ir_capture.contracts import SymInt
from onnx_ir_capture.emit._calls import Argument, AttributeValue
from onnx_ir_capture.emit._constants import as_value, constant_ints, constant_number, dtype_of, static_rank
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._flattening import unflattened
from onnx_ir_capture.emit._forms import NodeOutput, form
from onnx_ir_capture.emit._frame import constant_tensor
from onnx_ir_capture.emit._shapes import dimension, size_vector

__all__ = ["gemm", "grid_sample", "pad", "reshape"]


@form("Reshape", reviewed=25)
def reshape(emitter: Emitter, data: Argument, shape: Argument, *, allowzero: int = 0) -> NodeOutput:
    """Since 14: allowzero. Before, a size of 0 could only mean "as the input has it".

    To computed sizes, any of which may be 0, the elements are gathered.
    """
    if not allowzero:
        return _of_known_rank(emitter, data, shape)
    if emitter.opset >= 14:
        return emitter.node("Reshape", [data, shape], {"allowzero": 1})
    if isinstance(shape, ir.Value) and constant_tensor(shape) is None:
        return _gathered(emitter, data, shape)
    sizes = constant_ints(emitter, shape, "sizes that may be 0", since=14)
    if 0 not in sizes:
        return _of_known_rank(emitter, data, shape)
    # Nothing but the shape and the dtype is left of a tensor without elements.
    dtype = dtype_of(data) or ir.DataType.FLOAT
    return emitter.constant(np.empty(sizes, dtype.numpy()), dtype)


def _of_known_rank(emitter: Emitter, data: Argument, shape: Argument) -> ir.Value:
    (result,) = emitter.node("Reshape", [data, shape])
    sizes = shape.shape if isinstance(shape, ir.Value) else None
    if result.shape is None and sizes is not None and isinstance(sizes[0], int):
        # The inference of older opsets wants the sizes, their number is not enough.
        result.shape = ir.Shape([None] * sizes[0])
    return result


def _gathered(emitter: Emitter, data: Argument, shape: ir.Value) -> ir.Value:
    rank = None if shape.shape is None else shape.shape[0]
    if not isinstance(rank, int):
        emitter.refuse("Reshape to an unknown number of sizes can be written from opset 14", 14)
    line = emitter.Reshape(data, [-1])
    # A size of -1 is what the others leave of the elements.
    others = emitter.Max(emitter.Neg(emitter.ReduceProd(shape, keepdims=0)), 1)
    known = emitter.Where(emitter.Less(shape, 0), emitter.Div(emitter.Size(data), others), shape)
    return unflattened(emitter, line, [emitter.Gather(known, axis, axis=0) for axis in range(rank)])


@form("Pad", reviewed=25)
def pad(
    emitter: Emitter,
    data: Argument,
    pads: Argument,
    constant_value: Argument | None = None,
    axes: Argument | None = None,
    *,
    mode: str = "constant",
) -> NodeOutput:
    """Since 19: mode wrap. Since 18: axes. Since 13: bools. Since 11: integers, pads and value are inputs.

    What the target does not take is put together by Concat, where the padding is constant.
    """
    if mode == "wrap" and emitter.opset < 19:
        emitter.refuse("Pad with mode wrap can be written from opset 19", 19)
    if axes is not None and emitter.opset < 18:
        pads, axes = _pads_of_all_axes(emitter, data, pads, axes), None
    if mode == "constant" and not _is_taken(emitter, data, pads, constant_value):
        return _joined(emitter, data, pads, 0 if constant_value is None else constant_value)
    if emitter.opset >= 11:
        inputs = [data, pads, constant_value, axes]
        while inputs[-1] is None:
            inputs.pop()
        return emitter.node("Pad", inputs, {"mode": mode})
    value = constant_number(constant_value)
    attributes: dict[str, AttributeValue] = {
        "mode": mode,
        "pads": constant_ints(emitter, pads, "the pads of Pad", since=11),
        "value": 0.0 if value is None else float(value),
    }
    return emitter.node("Pad", [data], attributes)


def _is_taken(emitter: Emitter, data: Argument, pads: Argument, constant_value: Argument | None) -> bool:
    """Whether the target's own form takes the dtype, and the pads and the value as they are given."""
    dtype = dtype_of(data)
    if dtype is not None and not dtype.is_floating_point() and not emitter.has("Pad", dtype):
        return False
    if emitter.opset >= 11:
        return True
    if isinstance(pads, ir.Value) and constant_tensor(pads) is None:
        return False
    value = 0.0 if constant_value is None else constant_number(constant_value)
    return value is not None and (value != value or float(np.float32(value)) == value)


def _joined(emitter: Emitter, data: Argument, pads: Argument, number: Argument) -> ir.Value:
    """Constant padding by parts: what negative pads leave of each axis, between tensors of one number."""
    value = as_value(emitter, data, ir.DataType.FLOAT)
    rank = static_rank(emitter, value, "Pad by parts", since=13)
    amounts = [_amount(emitter, pads, place) for place in range(2 * rank)]
    filler = as_value(emitter, number, value.dtype or ir.DataType.FLOAT)
    for axis in range(rank):
        front, back = amounts[axis], amounts[rank + axis]
        if front == 0 and back == 0:
            continue
        start = _positive(emitter, emitter.Neg(front) if isinstance(front, ir.Value) else -front)
        lost = _positive(emitter, emitter.Neg(back) if isinstance(back, ir.Value) else -back)
        size = as_value(emitter, dimension(emitter, value, axis), ir.DataType.INT64)
        end = size if lost == 0 else emitter.Sub(size, lost)
        kept = emitter.Slice(value, size_vector(emitter, [start]), size_vector(emitter, [end]), [axis])
        shape = emitter.Shape(value)
        before, after = emitter.Slice(shape, [0], [axis], [0]), emitter.Slice(shape, [axis + 1], [rank], [0])
        sides = [
            emitter.Expand(filler, emitter.Concat(before, size_vector(emitter, [count]), after, axis=0))
            for count in (_positive(emitter, front), _positive(emitter, back))
        ]
        value = emitter.Concat(sides[0], kept, sides[1], axis=axis)
    return value


def _amount(emitter: Emitter, pads: Argument, place: int) -> SymInt:
    if isinstance(pads, ir.Value) and constant_tensor(pads) is None:
        return emitter.Gather(pads, emitter.constant(place), axis=0)
    return constant_ints(emitter, pads, "the pads of Pad", since=11)[place]


def _positive(emitter: Emitter, amount: SymInt) -> SymInt:
    return max(amount, 0) if isinstance(amount, int) else emitter.Max(amount, 0)


def _pads_of_all_axes(emitter: Emitter, data: Argument, pads: Argument, axes: Argument) -> list[int]:
    rank = static_rank(emitter, data, "Pad along chosen axes", since=18)
    positions = constant_ints(emitter, axes, "the axes of Pad", since=18)
    sizes = constant_ints(emitter, pads, "the pads of Pad along chosen axes", since=18)
    result = [0] * (2 * rank)
    for index, axis in enumerate(positions):
        result[axis % rank] = sizes[index]
        result[rank + axis % rank] = sizes[len(positions) + index]
    return result


@form("Gemm", reviewed=13)
def gemm(
    emitter: Emitter,
    A: Argument,
    B: Argument,
    C: Argument | None = None,
    *,
    alpha: float = 1.0,
    beta: float = 1.0,
    transA: int = 0,
    transB: int = 0,
) -> NodeOutput:
    """Since 11: C may be left out."""
    if C is not None or emitter.opset >= 11:
        attributes = {"alpha": alpha, "beta": beta, "transA": transA, "transB": transB}
        return emitter.node("Gemm", [A, B] if C is None else [A, B, C], attributes)
    left = emitter.Transpose(A, perm=[1, 0]) if transA else A
    right = emitter.Transpose(B, perm=[1, 0]) if transB else B
    product = emitter.MatMul(left, right)
    return product if alpha == 1.0 else emitter.Mul(product, alpha)


@form("GridSample", reviewed=22)
def grid_sample(
    emitter: Emitter,
    X: Argument,
    grid: Argument,
    *,
    align_corners: int = 0,
    mode: str = "linear",
    padding_mode: str = "zeros",
) -> NodeOutput:
    """Since 20: the modes linear and cubic lost their prefix bi, and volumes are taken."""
    attributes: dict[str, AttributeValue] = {"align_corners": align_corners, "padding_mode": padding_mode}
    if emitter.opset >= 20:
        return emitter.node("GridSample", [X, grid], {**attributes, "mode": mode})
    if isinstance(X, ir.Value) and X.shape is not None and len(X.shape) != 4:
        emitter.refuse("GridSample of anything but images can be written from opset 20", 20)
    older = {"linear": "bilinear", "cubic": "bicubic"}.get(mode, mode)
    return emitter.node("GridSample", [X, grid], {**attributes, "mode": older})
