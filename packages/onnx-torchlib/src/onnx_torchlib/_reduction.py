"""The ``reduction`` that losses take."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import HALVES, dtype_of, is_floating, mean_over, rank_of
from onnx_torchlib._op import Op

__all__ = ["REDUCTIONS", "reduced"]

REDUCTIONS = ("none", "mean", "sum")
"""Names of the reductions by their numbers in torch."""


def reduced(op: Op, losses: Value, reduction: int) -> Value:
    """``losses`` as they are, their mean, or their sum; half precision is added up in float32."""
    rank = rank_of(op, losses)
    if reduction == 0 or rank == 0:
        return losses
    given = dtype_of(op, losses)
    if not is_floating(losses):
        return op.ReduceSum(op.cast(losses, ir.DataType.INT64), keepdims=0)
    wide = op.cast(losses, ir.DataType.FLOAT) if given in HALVES else losses
    if reduction == 2:
        return op.cast(op.ReduceSum(wide, keepdims=0), given)
    return op.cast(mean_over(op, wide, range(rank)), given)
