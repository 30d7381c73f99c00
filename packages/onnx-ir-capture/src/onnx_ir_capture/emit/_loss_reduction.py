"""The ``reduction`` that losses take."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit._dtypes import HALVES, dtype_of, is_floating
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._reduction import mean_over
from onnx_ir_capture.emit._shapes import rank_of

__all__ = ["REDUCTIONS", "reduced"]

REDUCTIONS = ("none", "mean", "sum")
"""Names of the reductions by their numbers in torch."""


def reduced(emitter: Emitter, losses: Value, reduction: int) -> Value:
    """``losses`` as they are, their mean, or their sum; half precision is added up in float32."""
    rank = rank_of(emitter, losses)
    if reduction == 0 or rank == 0:
        return losses
    given = dtype_of(emitter, losses)
    if not is_floating(losses):
        return emitter.ReduceSum(emitter.cast(losses, ir.DataType.INT64), keepdims=0)
    wide = emitter.cast(losses, ir.DataType.FLOAT) if given in HALVES else losses
    if reduction == 2:
        return emitter.cast(emitter.ReduceSum(wide, keepdims=0), given)
    return emitter.cast(mean_over(emitter, wide, range(rank)), given)
