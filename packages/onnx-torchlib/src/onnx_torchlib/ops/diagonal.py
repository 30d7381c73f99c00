"""Diagonals and triangles of matrices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import onnx_ir as ir

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import as_tensor, dimension, dtype_of, normalize_axis, rank_of, transposed
from onnx_torchlib import Op, translator

__all__ = [
    "diag",
    "diag_embed",
    "diagflat",
    "diagonal",
    "diagonal_first",
    "diagonal_places",
    "linalg_diagonal",
    "tril",
    "tril_indices",
    "triu",
    "triu_indices",
]


_INT64 = 4
"""torch's number for the dtype: a schema holds the default of a dtype so."""


@translator("aten::tril")
def tril(op: Op, self: Value, diagonal: SymInt = 0) -> Value:
    """tril(Tensor self, SymInt diagonal=0) -> Tensor"""
    return op.Trilu(self, _number(op, diagonal), upper=0)


@translator("aten::triu")
def triu(op: Op, self: Value, diagonal: SymInt = 0) -> Value:
    """triu(Tensor self, SymInt diagonal=0) -> Tensor"""
    return op.Trilu(self, _number(op, diagonal), upper=1)


def _number(op: Op, diagonal: SymInt) -> Value | None:
    if isinstance(diagonal, int):
        return op.constant(diagonal) if diagonal else None
    return diagonal


@translator("aten::tril_indices")
def tril_indices(
    op: Op,
    row: int,
    col: int,
    offset: int = 0,
    dtype: ir.DataType | int | None = _INT64,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """tril_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return op.constant(np.stack(np.tril_indices(row, offset, col)), _index_dtype(dtype))


@translator("aten::triu_indices")
def triu_indices(
    op: Op,
    row: int,
    col: int,
    offset: int = 0,
    dtype: ir.DataType | int | None = _INT64,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """triu_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return op.constant(np.stack(np.triu_indices(row, offset, col)), _index_dtype(dtype))


def _index_dtype(dtype: ir.DataType | int | None) -> ir.DataType:
    return dtype if isinstance(dtype, ir.DataType) else ir.DataType.INT64


@translator("aten::diagonal", "aten::diagonal_copy")
def diagonal(op: Op, self: Value, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Value:
    """diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)"""
    rank = rank_of(op, self)
    matrices = transposed(op, self, diagonal_first(rank, dim1, dim2))
    members = op.GatherND(matrices, diagonal_places(op, matrices, offset))
    return transposed(op, members, [*range(1, rank - 1), 0])


@translator("aten::linalg_diagonal")
def linalg_diagonal(op: Op, A: Value, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Value:
    """linalg_diagonal(Tensor(a) A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor(a)"""
    return diagonal(op, A, offset, dim1, dim2)


def diagonal_first(rank: int, dim1: int, dim2: int) -> list[int]:
    """The order of axes in which the two that a diagonal runs along stand in front."""
    front = [normalize_axis(dim1, rank), normalize_axis(dim2, rank)]
    return [*front, *(axis for axis in range(rank) if axis not in front)]


def diagonal_places(op: Op, matrices: Value, offset: int) -> Value:
    """Row and column of each element of the diagonal ``offset`` that runs along the first two axes."""
    rows, columns = dimension(op, matrices, 0), dimension(op, matrices, 1)
    down, right = max(-offset, 0), max(offset, 0)
    if isinstance(rows, int) and isinstance(columns, int):
        steps = np.arange(max(min(rows - down, columns - right), 0))
        return op.constant(np.stack([steps + down, steps + right], axis=1))
    count = op.Min(op.Sub(rows, down), op.Sub(columns, right))
    # A Range up to a negative number is empty.
    walk = op.Unsqueeze(op.Range(0, count, 1), [1])
    return op.Add(walk, op.constant(np.array([[down, right]]))) if offset else op.Concat(walk, walk, axis=1)


@translator("aten::diag")
def diag(op: Op, self: Value, diagonal: int = 0) -> Value:
    """diag(Tensor self, int diagonal=0) -> Tensor"""
    return diag_embed(op, self, diagonal) if rank_of(op, self) == 1 else _of_matrix(op, self, diagonal)


def _of_matrix(op: Op, matrix: Value, offset: int) -> Value:
    return diagonal(op, matrix, offset, 0, 1)


@translator("aten::diagflat")
def diagflat(op: Op, self: Value, offset: int = 0) -> Value:
    """diagflat(Tensor self, int offset=0) -> Tensor"""
    return diag_embed(op, op.Reshape(self, [-1]), offset)


@translator("aten::diag_embed")
def diag_embed(op: Op, self: Value, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Value:
    """diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor"""
    rank = rank_of(op, self) + 1
    zero = as_tensor(op, 0, dtype_of(op, self))
    # One element for each row of the matrix; the rows that the diagonal misses hold a zero.
    untouched = [0] * (rank - 2)
    pads = [*untouched, max(-offset, 0), *untouched, max(offset, 0)]
    column = op.Pad(self, pads, zero) if offset else self
    size = dimension(op, column, -1)
    steps = op.Range(0, size, 1)
    across = op.Equal(op.Sub(steps, op.Unsqueeze(steps, [1])), offset)
    matrices = op.Where(across, op.Unsqueeze(column, [-1]), zero)
    return transposed(op, matrices, _placed(rank, dim1, dim2))


def _placed(rank: int, dim1: int, dim2: int) -> Sequence[int]:
    """The order that puts the last two axes at ``dim1`` and ``dim2``."""
    rows, columns = normalize_axis(dim1, rank), normalize_axis(dim2, rank)
    rest = iter(range(rank - 2))
    return [rank - 2 if axis == rows else rank - 1 if axis == columns else next(rest) for axis in range(rank)]
