"""Python's numbers as values of the ONNX graph."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.emit import Emitter
from onnx_ir_capture.lowering._binding import Argument

__all__ = ["number_value"]

_NUMBER_DTYPES = {bool: ir.DataType.BOOL, int: ir.DataType.INT64, float: ir.DataType.DOUBLE}


def number_value(emitter: Emitter, argument: Argument) -> ir.Value | None:
    """The value itself, or a constant for a Python number; None for what ONNX has no value for."""
    if isinstance(argument, ir.Value):
        return argument
    if isinstance(argument, bool | int | float):
        return emitter.constant(argument, _NUMBER_DTYPES[type(argument)])
    return None
