"""Diagonals and triangles of matrices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import onnx_ir as ir

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit._dtypes import dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._filled import as_tensor
from onnx_ir_capture.emit._shapes import dimension, normalize_axis, rank_of
from onnx_ir_capture.emit._slicing import transposed

__all__ = [
    "diagonal_embedded",
    "diagonal_first",
    "diagonal_of",
    "diagonal_places",
    "lower_triangle",
    "places_of_lower_triangle",
    "places_of_upper_triangle",
    "upper_triangle",
]


def lower_triangle(emitter: Emitter, value: Value, diagonal: SymInt) -> Value:
    """``value`` with zeros above a diagonal of its matrices."""
    return emitter.Trilu(value, _number(emitter, diagonal), upper=0)


def upper_triangle(emitter: Emitter, value: Value, diagonal: SymInt) -> Value:
    """``value`` with zeros below a diagonal of its matrices."""
    return emitter.Trilu(value, _number(emitter, diagonal), upper=1)


def _number(emitter: Emitter, diagonal: SymInt) -> Value | None:
    if isinstance(diagonal, int):
        return emitter.constant(diagonal) if diagonal else None
    return diagonal


def places_of_lower_triangle(
    emitter: Emitter, row: int, col: int, offset: int, dtype: ir.DataType | int | None
) -> Value:
    """Rows and columns of the elements on and below a diagonal, by rows."""
    return emitter.constant(np.stack(np.tril_indices(row, offset, col)), _index_dtype(dtype))


def places_of_upper_triangle(
    emitter: Emitter, row: int, col: int, offset: int, dtype: ir.DataType | int | None
) -> Value:
    """Rows and columns of the elements on and above a diagonal, by rows."""
    return emitter.constant(np.stack(np.triu_indices(row, offset, col)), _index_dtype(dtype))


def _index_dtype(dtype: ir.DataType | int | None) -> ir.DataType:
    return dtype if isinstance(dtype, ir.DataType) else ir.DataType.INT64


def diagonal_of(emitter: Emitter, value: Value, offset: int, dim1: int, dim2: int) -> Value:
    """The elements along a diagonal of two axes, on a last axis."""
    rank = rank_of(emitter, value)
    matrices = transposed(emitter, value, diagonal_first(rank, dim1, dim2))
    members = emitter.GatherND(matrices, diagonal_places(emitter, matrices, offset))
    return transposed(emitter, members, [*range(1, rank - 1), 0])


def diagonal_first(rank: int, dim1: int, dim2: int) -> list[int]:
    """The order of axes in which the two that a diagonal runs along stand in front."""
    front = [normalize_axis(dim1, rank), normalize_axis(dim2, rank)]
    return [*front, *(axis for axis in range(rank) if axis not in front)]


def diagonal_places(emitter: Emitter, matrices: Value, offset: int) -> Value:
    """Row and column of each element of the diagonal ``offset`` that runs along the first two axes."""
    rows, columns = dimension(emitter, matrices, 0), dimension(emitter, matrices, 1)
    down, right = max(-offset, 0), max(offset, 0)
    if isinstance(rows, int) and isinstance(columns, int):
        steps = np.arange(max(min(rows - down, columns - right), 0))
        return emitter.constant(np.stack([steps + down, steps + right], axis=1))
    count = emitter.Min(emitter.Sub(rows, down), emitter.Sub(columns, right))
    # A Range up to a negative number is empty.
    walk = emitter.Unsqueeze(emitter.Range(0, count, 1), [1])
    return (
        emitter.Add(walk, emitter.constant(np.array([[down, right]])))
        if offset
        else emitter.Concat(walk, walk, axis=1)
    )


def diagonal_embedded(emitter: Emitter, value: Value, offset: int, dim1: int, dim2: int) -> Value:
    """Matrices of zeros with the members of the last axis of ``value`` along a diagonal."""
    rank = rank_of(emitter, value) + 1
    zero = as_tensor(emitter, 0, dtype_of(emitter, value))
    # One element for each row of the matrix; the rows that the diagonal misses hold a zero.
    untouched = [0] * (rank - 2)
    pads = [*untouched, max(-offset, 0), *untouched, max(offset, 0)]
    column = emitter.Pad(value, pads, zero) if offset else value
    size = dimension(emitter, column, -1)
    steps = emitter.Range(0, size, 1)
    across = emitter.Equal(emitter.Sub(steps, emitter.Unsqueeze(steps, [1])), offset)
    matrices = emitter.Where(across, emitter.Unsqueeze(column, [-1]), zero)
    return transposed(emitter, matrices, _placed(rank, dim1, dim2))


def _placed(rank: int, dim1: int, dim2: int) -> Sequence[int]:
    """The order that puts the last two axes at ``dim1`` and ``dim2``."""
    rows, columns = normalize_axis(dim1, rank), normalize_axis(dim2, rank)
    rest = iter(range(rank - 2))
    return [rank - 2 if axis == rows else rank - 1 if axis == columns else next(rest) for axis in range(rank)]
