"""Constants behind operands, for the older forms that take attributes."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.emit._calls import Operand
from onnx_ir_capture.emit._emitter import Emitter

__all__ = ["constant_ints"]


def constant_ints(emitter: Emitter, operand: Operand, what: str, since: int) -> tuple[int, ...]:
    """The integers that ``operand`` holds, for a form in which ``what`` is an attribute.

    Raises:
        Unsupported: it is computed at run time, which only the form ``since`` takes.
    """
    if isinstance(operand, ir.Value):
        if operand.const_value is None:
            emitter.refuse(f"{what} come from a computation, which ONNX takes from opset {since}", since)
        return tuple(int(item) for item in operand.const_value.numpy().reshape(-1))
    if isinstance(operand, Sequence):
        return tuple(int(item) for item in operand)
    if isinstance(operand, int):
        return (operand,)
    raise TypeError(f"{what} are integers, not {operand!r}")
