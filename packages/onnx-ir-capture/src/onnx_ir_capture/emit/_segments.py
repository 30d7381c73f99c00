"""Reductions of segments of an axis, each as long as a tensor says."""

from __future__ import annotations

import math

import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit._dtypes import dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._filled import as_tensor
from onnx_ir_capture.emit._repeating import repeated_places
from onnx_ir_capture.emit._scattering import reduced_along_index
from onnx_ir_capture.emit._shapes import dimension, rank_of, size_vector

__all__ = ["reduced_segments"]

_NEUTRAL = {"sum": 0.0, "mean": 0.0, "prod": 1.0, "max": -math.inf, "min": math.inf}

_REDUCTIONS = {"sum": "sum", "mean": "sum", "prod": "prod", "max": "amax", "min": "amin"}


def reduced_segments(
    emitter: Emitter,
    data: Value,
    reduce: str,
    lengths: Value | None,
    offsets: Value | None,
    axis: int,
    initial: Scalar | None,
) -> Value:
    """The segments of an axis reduced, each as long as ``lengths`` or ``offsets`` say."""
    if offsets is not None:
        lengths = emitter.Sub(
            emitter.Slice(offsets, [1], [2**63 - 1], [-1]), emitter.Slice(offsets, [0], [-1], [-1])
        )
    if lengths is None:
        emitter.refuse("it is given neither lengths nor offsets")
    dtype, first = dtype_of(emitter, data), rank_of(emitter, lengths)
    # The segments of the axes in front follow each other, as their elements do.
    counts = emitter.cast(emitter.Reshape(lengths, [-1]), ir.DataType.INT64)
    inner = [dimension(emitter, data, axis) for axis in range(first, rank_of(emitter, data))]
    rows = (
        emitter.Reshape(data, emitter.Concat([-1], size_vector(emitter, inner), axis=0))
        if inner
        else emitter.Reshape(data, [-1])
    )
    start = as_tensor(emitter, _NEUTRAL[reduce] if initial is None else initial, dtype)
    wanted = (
        emitter.Concat(emitter.Shape(counts), size_vector(emitter, inner), axis=0)
        if inner
        else emitter.Shape(counts)
    )
    base = emitter.Expand(start, wanted)
    result = reduced_along_index(
        emitter, base, 0, repeated_places(emitter, counts), rows, _REDUCTIONS[reduce], True
    )
    if reduce == "mean":
        divisor = counts if initial is None else emitter.Max(counts, 1)
        column = emitter.Unsqueeze(divisor, list(range(1, len(inner) + 1))) if inner else divisor
        result = emitter.Div(result, emitter.cast(column, dtype))
    shape = (
        emitter.Concat(emitter.Shape(lengths), size_vector(emitter, inner), axis=0)
        if inner
        else emitter.Shape(lengths)
    )
    return emitter.Reshape(result, shape, allowzero=1) if first > 1 else result
