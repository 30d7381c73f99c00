"""Means, counts, and the ``reduction`` that losses take."""

from __future__ import annotations

import math
from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import least_size, rank_of
from onnx_torchlib._dtypes import HALVES, dtype_of, is_floating
from onnx_torchlib._op import Op

__all__ = ["REDUCTIONS", "count_over", "mean_over", "reduced"]

REDUCTIONS = ("none", "mean", "sum")
"""Names of the reductions by their numbers in torch."""


def mean_over(op: Op, value: Value, axes: Sequence[int], *, keepdims: bool = False) -> Value:
    """The mean over ``axes``, one of them at least.

    ONNX leaves the mean of nothing open, and ONNX Runtime gives 0 for torch's 0 / 0: where an axis may be
    empty, the sum is divided in the open.
    """
    if all(least_size(op, value, axis) > 0 for axis in axes):
        return op.ReduceMean(value, axes, keepdims=int(keepdims))
    given = dtype_of(op, value)
    wide = op.cast(value, ir.DataType.FLOAT) if given in HALVES else value
    total = op.ReduceSum(wide, axes, keepdims=int(keepdims))
    return op.cast(op.Div(total, op.cast(count_over(op, value, axes), dtype_of(op, wide))), given)


def count_over(op: Op, value: Value, axes: Sequence[int]) -> Value:
    """Number of elements in a reduction, as a 0-d DOUBLE."""
    shape = tuple(value.shape or ())
    known = [size for size in (shape[axis] for axis in axes) if isinstance(size, int)]
    if len(known) == len(axes):
        return op.constant(float(math.prod(known)), ir.DataType.DOUBLE)
    sizes = op.Gather(op.Shape(value), op.constant(list(axes)))
    return op.cast(op.ReduceProd(sizes, keepdims=0), ir.DataType.DOUBLE)


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
