"""Places in flattened tensors, by which older opsets reach what newer ones have operators for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import onnx_ir as ir

from onnx_ir_capture.contracts import SymInt
from onnx_ir_capture.emit._constants import as_value
from onnx_ir_capture.emit._emitter import Emitter

__all__ = ["offsets", "strides_of", "times", "total", "unflattened"]

_INT64 = ir.DataType.INT64


def strides_of(emitter: Emitter, sizes: Sequence[SymInt]) -> list[SymInt]:
    """For each axis how far apart its members are in the flattened tensor."""
    strides: list[SymInt] = [1]
    for size in sizes[:0:-1]:
        strides.insert(0, _product(emitter, strides[0], size))
    return strides


def _product(emitter: Emitter, left: SymInt, right: SymInt) -> SymInt:
    if isinstance(left, int) and isinstance(right, int):
        return left * right
    if isinstance(left, int):
        left, right = right, left
    return left if isinstance(right, int) and right == 1 else emitter.Mul(left, right)


def times(emitter: Emitter, indices: ir.Value, stride: SymInt) -> ir.Value:
    """``indices`` by a stride."""
    return indices if isinstance(stride, int) and stride == 1 else emitter.Mul(indices, stride)


def offsets(emitter: Emitter, size: SymInt, stride: SymInt, axis: int) -> ir.Value:
    """0, stride, 2 * stride … along an axis that counts from the back."""
    if isinstance(size, int) and isinstance(stride, int):
        return emitter.constant(np.arange(size).reshape([-1] + [1] * (-1 - axis)) * stride, _INT64)
    start, step = (emitter.constant(number) for number in (0, 1))
    steps = times(emitter, emitter.Range(start, as_value(emitter, size, _INT64), step), stride)
    return emitter.Unsqueeze(steps, list(range(1, -axis))) if axis < -1 else steps


def total(emitter: Emitter, terms: Sequence[ir.Value]) -> ir.Value:
    """The sum of places, which broadcast."""
    places = terms[0]
    for term in terms[1:]:
        places = emitter.Add(places, term)
    return places


def unflattened(emitter: Emitter, line: ir.Value, sizes: Sequence[SymInt]) -> ir.Value:
    """``line`` in the shape ``sizes``. Reshape would take a computed size of 0 for one to be copied."""
    strides = strides_of(emitter, sizes)
    grid = [offsets(emitter, sizes[axis], strides[axis], axis - len(sizes)) for axis in range(len(sizes))]
    places = total(emitter, grid) if grid else emitter.constant(0)
    result = emitter.node("Gather", [line, places], {"axis": 0})[0]
    if result.shape is None:
        # No inference goes through NonZero, which counts where there is no Range.
        result.shape = ir.Shape([size if isinstance(size, int) else None for size in sizes])
    return result
