"""Constants behind operands, for the older forms that take attributes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import onnx_ir as ir

from onnx_ir_capture.emit._calls import Argument
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._frame import constant_tensor

__all__ = ["as_value", "constant_ints", "constant_number", "dtype_of", "static_rank"]

_READ_LIMIT = 1024
"""Elements of a constant that a form may read: axes, pads and sizes are shorter, weights are longer."""


def constant_ints(emitter: Emitter, operand: Argument, what: str, since: int) -> tuple[int, ...]:
    """The integers that ``operand`` holds, for a form in which ``what`` is an attribute.

    Raises:
        Unsupported: it is computed at run time, which only the form ``since`` takes.
    """
    if isinstance(operand, ir.Value):
        tensor = constant_tensor(operand)
        if tensor is None or tensor.size > _READ_LIMIT:
            emitter.refuse(f"{what} come from a computation, which ONNX takes from opset {since}", since)
        return tuple(int(item) for item in tensor.numpy().reshape(-1))
    if isinstance(operand, Sequence):
        return tuple(int(item) for item in operand)
    if isinstance(operand, int):
        return (operand,)
    raise TypeError(f"{what} are integers, not {operand!r}")


def constant_number(operand: Argument | None) -> float | int | bool | None:
    """The single real number that ``operand`` holds; None where it is computed, or is no such thing."""
    if isinstance(operand, int | float):
        return operand
    tensor = constant_tensor(operand) if isinstance(operand, ir.Value) else None
    if tensor is None or tensor.size != 1:
        return None
    item = tensor.numpy().reshape(-1)[0]
    if isinstance(item, np.complexfloating):
        return None
    return int(item) if isinstance(item, np.integer) else float(item)


def dtype_of(*operands: Argument | None) -> ir.DataType | None:
    """The dtype of the first operand that is a value and has one."""
    dtypes = (operand.dtype for operand in operands if isinstance(operand, ir.Value))
    return next((dtype for dtype in dtypes if dtype is not None), None)


def as_value(emitter: Emitter, operand: Argument, dtype: ir.DataType) -> ir.Value:
    """``operand`` as a value; a literal becomes a constant of ``dtype``."""
    if isinstance(operand, ir.Value):
        return operand
    if isinstance(operand, ir.TensorProtocol):
        return emitter.frame.tensor(operand)
    return emitter.constant(operand, dtype)


def static_rank(emitter: Emitter, operand: Argument, what: str, since: int) -> int:
    """The rank of ``operand``, for a form in which ``what`` needs it.

    Raises:
        Unsupported: it is unknown, which only the form ``since`` gets along with.
    """
    if not isinstance(operand, ir.Value) or operand.shape is None:
        emitter.refuse(f"{what} of a tensor of unknown rank can be written from opset {since}", since)
    return len(operand.shape)
