"""Decorators of symbolic functions."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import TypeVar

import torch

from onnx_export._torch_symbolics import GraphContext
from onnx_export.symbolic_helper._quantized import dequantize_helper, quantize_helper
from onnx_export.symbolic_helper._values import _is_packed_list, _is_tuple_construct, _parse_arg

__all__ = ["parse_args", "quantized_args"]

_Result = TypeVar("_Result")


def parse_args(
    *arg_descriptors: str,
) -> Callable[[Callable[..., _Result]], Callable[..., _Result]]:
    """Decorator that hands constants to a symbolic function as objects of Python's.

    Args:
        arg_descriptors: one for each argument after ``g``: ``"v"`` leaves it a value, ``"i"`` gives an int,
            ``"is"`` a list of ints, ``"f"`` a float, ``"fs"`` a list of floats, ``"b"`` a bool, ``"s"`` a
            str, ``"t"`` a tensor, and ``"none"`` marks one that is not used. None stays None.
    """

    def decorate(function: Callable[..., _Result]) -> Callable[..., _Result]:
        names = list(inspect.signature(function).parameters)[1:]

        @functools.wraps(function)
        def parsing(g: GraphContext, *args: object, **kwargs: object) -> _Result:
            if len(args) > len(arg_descriptors):
                raise TypeError(
                    f"{function.__name__} is called with {len(args)} arguments, and parse_args describes "
                    f"{len(arg_descriptors)}"
                )
            padded = [*names, *[None] * len(args)]
            parsed = [
                _parse_arg(argument, kind, name, function.__name__)
                for argument, kind, name in zip(args, arg_descriptors, padded, strict=False)
            ]
            return function(g, *parsed, **kwargs)

        # Others choose among functions by it, as torch.onnx does for overloads.
        parsing.__dict__["_arg_descriptors"] = arg_descriptors
        return parsing

    return decorate


def quantized_args(
    *may_be: bool, scale: float | None = None, zero_point: int | None = None, quantize_output: bool = True
) -> Callable[[Callable[..., object]], Callable[..., object]]:
    """Decorator that lets a symbolic function for floats serve quantized tensors, too.

    A quantized tensor is a tuple of a tensor of integers, its scale, its zero point, and the axis if there is
    one scale per channel. The function gets what these stand for; its result is quantized again.

    Args:
        may_be: for each argument whether it may be quantized; those not mentioned may not.
        scale: that of the result; by default that of the first quantized argument.
        zero_point: that of the result; by default that of the first quantized argument.
        quantize_output: False returns the result as floats.
    """

    def decorate(function: Callable[..., object]) -> Callable[..., object]:
        @functools.wraps(function)
        def dequantizing(g: GraphContext, *args: object, **kwargs: object) -> object:
            found = _Found(g)
            marks = [*may_be, *[False] * len(args)]
            plain = [
                found.dequantized(argument) if mark else argument
                for argument, mark in zip(args, marks, strict=False)
            ]
            result = function(g, *plain, **kwargs)
            if found.scale is None or found.zero_point is None or not quantize_output:
                return result
            if not isinstance(result, torch._C.Value):
                raise TypeError(f"{function.__name__} returned {result!r}, which cannot be quantized")
            return quantize_helper(
                g,
                result,
                found.scale if scale is None else _constant(g, torch.tensor(scale)),
                found.zero_point if zero_point is None else _constant(g, torch.tensor(zero_point)),
            )

        return dequantizing

    return decorate


class _Found:
    """The scale and zero point of the first quantized tensor among the arguments."""

    def __init__(self, g: GraphContext) -> None:
        self._g = g
        self.scale: torch._C.Value | None = None
        self.zero_point: torch._C.Value | None = None

    def dequantized(self, argument: object) -> object:
        """The floats that a quantized tensor stands for, also within a list; anything else as it is."""
        if not isinstance(argument, torch._C.Value):
            return argument
        if _is_packed_list(argument):
            for item in list(argument.node().inputs()):
                if _is_tuple_construct(item):
                    argument.node().replaceInputWith(item, self._floats(item))
            return argument
        return self._floats(argument) if _is_tuple_construct(argument) else argument

    def _floats(self, quantized: torch._C.Value) -> torch._C.Value:
        floats, scale, zero_point, _ = dequantize_helper(self._g, quantized)
        if self.scale is None:
            self.scale, self.zero_point = scale, zero_point
        return floats


def _constant(g: GraphContext, tensor: torch.Tensor) -> torch._C.Value:
    return g.op("Constant", value_t=tensor)
