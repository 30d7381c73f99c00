"""Numbers at even distances."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, SymInt, Value
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._filled import as_tensor
from onnx_ir_capture.emit._promotion import promote

__all__ = ["evenly_spaced"]


def evenly_spaced(
    emitter: Emitter, start: Scalar, end: Scalar, steps: SymInt, dtype: ir.DataType | None
) -> Value:
    """``steps`` numbers from ``start`` to ``end``."""
    target = dtype or emitter.expected_dtype() or ir.DataType.FLOAT
    if not target.is_floating_point():
        emitter.refuse("it fills integers, whose rounding torch leaves to the device")
    first, last = promote(emitter, start, end, dtype=ir.DataType.DOUBLE)
    count = as_tensor(emitter, steps, ir.DataType.INT64)
    last_index = emitter.cast(emitter.Max(emitter.Sub(count, 1), 1), ir.DataType.DOUBLE)
    width = emitter.Div(emitter.Sub(last, first), last_index)
    index = emitter.cast(emitter.Range(0, count, 1), ir.DataType.DOUBLE)
    return emitter.cast(emitter.Add(emitter.Mul(index, width), first), target)
