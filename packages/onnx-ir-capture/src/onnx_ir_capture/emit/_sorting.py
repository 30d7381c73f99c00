"""Elements in order, and places by order."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit._dtypes import is_floating
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._promotion import promote
from onnx_ir_capture.emit._shapes import rank_of, size_vector

__all__ = ["insertion_points", "places_of_nonzero", "places_of_nonzero_of_count", "ranked"]


def ranked(emitter: Emitter, value: Value, k: SymInt, axis: int, *, largest: bool) -> tuple[Value, Value]:
    """The ``k`` largest or smallest elements in order, and their indices; equal ones by their indices.

    NaN is larger than every number, in torch as in ONNX Runtime's TopK.
    """
    if value.dtype == ir.DataType.BOOL:
        found, indices = ranked(emitter, emitter.cast(value, ir.DataType.UINT8), k, axis, largest=largest)
        return emitter.cast(found, ir.DataType.BOOL), indices
    return emitter.TopK(value, size_vector(emitter, [k]), axis=axis, largest=int(largest))


def places_of_nonzero(emitter: Emitter, value: Value) -> Value:
    """A row of indices for every element that is not 0."""
    truth = emitter.cast(value, ir.DataType.BOOL)
    if rank_of(emitter, value):
        return emitter.Transpose(emitter.NonZero(truth), perm=[1, 0])
    # One row without columns where the number is not 0, else no row.
    found = emitter.Transpose(emitter.NonZero(emitter.Reshape(truth, [1])), perm=[1, 0])
    return emitter.Slice(found, [0], [0], [1])


def insertion_points(
    emitter: Emitter, sequence: Value, value: Value, *, right: bool, dtype: ir.DataType = ir.DataType.INT64
) -> Value:
    """How many elements of the last axis of ``sequence`` stand before each element of ``value``.

    Those are the ones that are not behind it: torch puts NaN behind everything.
    """
    left, wanted = promote(emitter, sequence, emitter.Unsqueeze(value, [-1]))
    if is_floating(left):
        emitter.limit("each NaN among the boundaries counts as standing before every value")
    behind = emitter.Greater(left, wanted) if right else emitter.GreaterOrEqual(left, wanted)
    before = emitter.cast(emitter.Not(behind), ir.DataType.INT64)
    return emitter.cast(emitter.ReduceSum(before, [-1], keepdims=0), dtype)


def places_of_nonzero_of_count(emitter: Emitter, value: Value, size: SymInt, fill_value: int) -> Value:
    """``size`` places of elements that are not 0, filled up with ``fill_value``."""
    places, wanted = places_of_nonzero(emitter, value), size_vector(emitter, [size])
    missing = emitter.Max(emitter.Sub(wanted, emitter.Shape(places, end=1)), 0)
    pads = emitter.Concat([0, 0], missing, [0], axis=0)
    return emitter.Slice(emitter.Pad(places, pads, fill_value), [0], wanted, [0])
