"""Calls that torch computes on the integers of quantized tensors themselves, or that move their grid."""

from __future__ import annotations

import dataclasses

import onnx_ir as ir

from onnx_ir_capture.contracts import Unsupported
from onnx_ir_capture.dialect import known_constant
from onnx_jitpasses._emission import Argument
from onnx_jitpasses._quantized_call import Grid, QuantizedCall, QuantizedRewrite

__all__ = ["average", "plus_number", "times_number"]


def average(call: QuantizedCall) -> ir.Value:
    """A mean of numbers on one grid: in units of its steps, of which halves are rounded to even integers.

    The zero point is among what torch rounds, and added after the rounding by ONNX. Where it is odd, it is
    added to the mean.
    """
    grid = call.grid(0)
    zero_point = _constant(grid.zero_point)
    if zero_point is None:
        raise Unsupported("its zero point is computed at run time")
    steps = call.real_on(call.tensor(0), dataclasses.replace(grid, scale=1.0))
    inputs: list[Argument] = [steps, *call.node.inputs[1:]]
    mean = call.emission.call(call.node, inputs, call.floating())
    if zero_point % 2:
        mean = call.call("aten::add.Tensor", [mean, zero_point, 1])
        zero_point = 0
    return call.on_grid(call.quantized(mean, Grid(1.0, zero_point)), grid)


def _constant(number: Argument) -> int | float | None:
    found = known_constant(number) if isinstance(number, ir.Value) else number
    return found if isinstance(found, int | float) else None


def _numbers(call: QuantizedCall) -> tuple[float, int, float]:
    """Scale and zero point of the first argument, and the number that is the second."""
    grid = call.grid(0)
    scale, zero_point, number = _constant(grid.scale), _constant(grid.zero_point), _constant(call.tensor(1))
    if scale is None or not isinstance(zero_point, int) or number is None:
        raise Unsupported("its number, scale or zero point is computed at run time")
    return scale, zero_point, number


def plus_number(*, relu: bool = False) -> QuantizedRewrite:
    """The zero point moves by the number; where it would leave the range, the scale grows.

    Source: ``_add_scalar_out`` of ATen/native/quantized/cpu/qadd.cpp.
    """

    def rewrite(call: QuantizedCall) -> ir.Value:
        scale, zero_point, number = _numbers(call)
        low, high = call.limits(call.output)
        moved = round(number / scale)
        place = zero_point - moved
        if low <= place <= high:
            grid = Grid(scale, place)
            if not relu:
                return call.on_grid(call.same(call.tensor(0)), grid)
        else:
            reach = high - place if place < low else place - low
            grid = Grid(reach / (high - low) * scale, low if place < low else high)
        total = call.call("aten::add.Tensor", [call.real(call.tensor(0)), moved * scale, 1])
        return call.quantized(call.call("aten::relu", [total]) if relu else total, grid)

    return rewrite


def times_number(*, relu: bool = False) -> QuantizedRewrite:
    """The scale is multiplied; by a negative number the integers count backwards.

    Source: ``_mul_scalar_out`` of ATen/native/quantized/cpu/qmul.cpp.
    """

    def rewrite(call: QuantizedCall) -> ir.Value:
        scale, zero_point, number = _numbers(call)
        ends = sum(call.limits(call.output))
        value = call.tensor(0)
        if number < 0:
            turned = call.call("aten::rsub.Scalar", [value, ends, 1], call.output)
            result, grid = turned, Grid(-number * scale, ends - zero_point)
        elif number > 0:
            result, grid = call.same(value), Grid(number * scale, zero_point)
        else:
            nothing = call.call("aten::mul.Tensor", [call.real(value), 0.0])
            return call.quantized(nothing, Grid(1.0, 0))
        call.on_grid(result, grid)
        return call.quantized(call.call("aten::relu", [call.real(result)]), grid) if relu else result

    return rewrite
