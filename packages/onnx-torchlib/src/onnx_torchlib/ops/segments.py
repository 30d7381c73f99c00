"""Reductions of segments of an axis, each as long as a tensor says."""

from __future__ import annotations

import math

import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit import as_tensor, dimension, dtype_of, rank_of, repeated_places, size_vector
from onnx_torchlib import Op, translator
from onnx_torchlib.ops.gather_scatter import index_reduce

__all__ = ["segment_reduce"]

_NEUTRAL = {"sum": 0.0, "mean": 0.0, "prod": 1.0, "max": -math.inf, "min": math.inf}
_REDUCTIONS = {"sum": "sum", "mean": "sum", "prod": "prod", "max": "amax", "min": "amin"}


@translator("aten::segment_reduce")
def segment_reduce(
    op: Op,
    data: Value,
    reduce: str,
    lengths: Value | None = None,
    indices: Value | None = None,
    offsets: Value | None = None,
    axis: int = 0,
    unsafe: bool = False,
    initial: Scalar | None = None,
) -> Value:
    """segment_reduce(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? indices=None, Tensor? offsets=None, int axis=0, bool unsafe=False, Scalar? initial=None) -> Tensor"""
    if offsets is not None:
        lengths = op.Sub(op.Slice(offsets, [1], [2**63 - 1], [-1]), op.Slice(offsets, [0], [-1], [-1]))
    if lengths is None:
        op.refuse("it is given neither lengths nor offsets")
    dtype, first = dtype_of(op, data), rank_of(op, lengths)
    # The segments of the axes in front follow each other, as their elements do.
    counts = op.cast(op.Reshape(lengths, [-1]), ir.DataType.INT64)
    inner = [dimension(op, data, axis) for axis in range(first, rank_of(op, data))]
    rows = (
        op.Reshape(data, op.Concat([-1], size_vector(op, inner), axis=0)) if inner else op.Reshape(data, [-1])
    )
    start = as_tensor(op, _NEUTRAL[reduce] if initial is None else initial, dtype)
    wanted = op.Concat(op.Shape(counts), size_vector(op, inner), axis=0) if inner else op.Shape(counts)
    base = op.Expand(start, wanted)
    result = index_reduce(op, base, 0, repeated_places(op, counts), rows, _REDUCTIONS[reduce])
    if reduce == "mean":
        divisor = counts if initial is None else op.Max(counts, 1)
        column = op.Unsqueeze(divisor, list(range(1, len(inner) + 1))) if inner else divisor
        result = op.Div(result, op.cast(column, dtype))
    shape = op.Concat(op.Shape(lengths), size_vector(op, inner), axis=0) if inner else op.Shape(lengths)
    return op.Reshape(result, shape, allowzero=1) if first > 1 else result
