"""Logic and shifts of bits, which are arithmetic where the opset has no operators for them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import onnx_ir as ir

from onnx_ir_capture.emit._calls import Argument
from onnx_ir_capture.emit._constants import as_value, dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._forms import FormFunction, NodeOutput, form

__all__ = ["bit_shift", "bitwise_not"]


@form("BitwiseNot", reviewed=18)
def bitwise_not(emitter: Emitter, X: Argument) -> NodeOutput:
    """Since 18: exists. Not for bools, which no opset's BitwiseNot takes."""
    dtype = dtype_of(X)
    if dtype == ir.DataType.BOOL:
        return emitter.node("Not", [X])
    if emitter.opset >= 18 or dtype is None or not dtype.is_integer():
        return emitter.node("BitwiseNot", [X])
    return emitter.Sub(int(dtype.max) + int(dtype.min), X)


def _bitwise(
    op_type: str, logical: str, of_common: Callable[[Emitter, ir.Value, ir.Value, ir.Value], ir.Value]
) -> FormFunction:
    def bitwise(emitter: Emitter, A: Argument, B: Argument) -> NodeOutput:
        dtype = dtype_of(A, B)
        if dtype == ir.DataType.BOOL:
            return emitter.node(logical, [A, B])
        if emitter.opset >= 18 or dtype is None or not dtype.is_integer():
            return emitter.node(op_type, [A, B])
        left, right = as_value(emitter, A, dtype), as_value(emitter, B, dtype)
        return of_common(emitter, left, right, _common_bits(emitter, left, right, dtype))

    bitwise.__doc__ = f"{op_type}. Since 18: exists. {logical} for bools, which no opset's {op_type} takes."
    return bitwise


def _common_bits(emitter: Emitter, left: ir.Value, right: ir.Value, dtype: ir.DataType) -> ir.Value:
    """The bits that both have: each in an element of its own, so that a product is what And is."""
    if dtype == ir.DataType.UINT64:
        emitter.refuse("the bits of UINT64 can be combined from opset 18", 18)
    sign = int(dtype.min)
    weights = emitter.constant([2**bit for bit in range(int(dtype.max).bit_length())])
    negative, bits = [], []
    for value in (left, right):
        number = emitter.cast(value, ir.DataType.INT64)
        below_zero = emitter.Less(number, 0)
        # A sign bit stands for the least number of the dtype; the other bits make a number from 0 on.
        rest = emitter.Sub(number, emitter.Where(below_zero, emitter.constant(sign), emitter.constant(0)))
        bits.append(emitter.Mod(emitter.Div(emitter.Unsqueeze(rest, [-1]), weights), 2))
        negative.append(below_zero)
    # MatMul adds integers as such; ReduceSum goes through a double in ONNX Runtime.
    total = emitter.MatMul(emitter.Mul(*bits), weights)
    signs = emitter.Where(emitter.And(*negative), emitter.constant(sign), emitter.constant(0))
    return emitter.cast(emitter.Add(total, signs), dtype)


# Numbers without a bit in common add up to what Or gives: nothing is carried.
form("BitwiseAnd", reviewed=18)(_bitwise("BitwiseAnd", "And", lambda emitter, a, b, common: common))
form("BitwiseOr", reviewed=18)(
    _bitwise("BitwiseOr", "Or", lambda emitter, a, b, common: emitter.Add(a, emitter.Sub(b, common)))
)
form("BitwiseXor", reviewed=18)(
    _bitwise(
        "BitwiseXor",
        "Xor",
        lambda emitter, a, b, common: emitter.Add(emitter.Sub(a, common), emitter.Sub(b, common)),
    )
)


@form("BitShift", reviewed=28)
def bit_shift(emitter: Emitter, X: Argument, Y: Argument, *, direction: str) -> NodeOutput:
    """Since 28: signed integers, and shifts by the width and more. Since 11: exists.

    A power of two multiplies and divides unsigned integers alike.
    """
    dtype = dtype_of(X, Y)
    if emitter.opset >= 11 or dtype is None or not dtype.is_integer() or int(dtype.min) < 0:
        return emitter.node("BitShift", [X, Y], {"direction": direction})
    powers = np.array([2**bit for bit in range(int(dtype.max).bit_length())], np.uint64)
    places = emitter.cast(as_value(emitter, Y, dtype), ir.DataType.INT64)
    table = emitter.constant(powers.astype(dtype.numpy()), dtype)
    # A place is never negative, which Gather takes from 11 on and the form for it would look at.
    (factor,) = emitter.node("Gather", [table, places], {"axis": 0})
    return emitter.Mul(X, factor) if direction == "LEFT" else emitter.Div(X, factor)
