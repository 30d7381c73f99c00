"""Softmax and its logarithm."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit._dtypes import dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._shapes import normalize_axis, rank_of

__all__ = ["softmax_over"]


def softmax_over(emitter: Emitter, value: Value, dim: int, *, log: bool = False) -> Value:
    """Softmax of ``value`` along ``dim``, or its logarithm."""
    rank = rank_of(emitter, value)
    if rank == 0:
        # The one element is a whole axis for torch; ONNX wants the axis to be there.
        return emitter.Squeeze(softmax_over(emitter, emitter.Unsqueeze(value, [0]), 0, log=log), [0])
    axis = normalize_axis(dim, rank)
    if not log:
        return emitter.Softmax(value, axis=axis)
    # In half precision ONNX Runtime would run the function body, which loses what torch adds up in float32.
    wide = value if value.dtype == ir.DataType.DOUBLE else emitter.cast(value, ir.DataType.FLOAT)
    return emitter.cast(emitter.LogSoftmax(wide, axis=axis), dtype_of(emitter, value))
