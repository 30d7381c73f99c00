"""Diagonals and triangles of matrices."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import (
    diagonal_embedded,
    diagonal_of,
    lower_triangle,
    places_of_lower_triangle,
    places_of_upper_triangle,
    rank_of,
    upper_triangle,
)
from onnx_symbolics import SymbolicContext, symbolic

__all__ = [
    "diag",
    "diag_embed",
    "diagflat",
    "diagonal",
    "linalg_diagonal",
    "tril",
    "tril_indices",
    "triu",
    "triu_indices",
]

_INT64 = 4
"""torch's number for the dtype: a schema holds the default of a dtype so."""


@symbolic("aten::tril")
def tril(g: SymbolicContext, self: Value, diagonal: SymInt = 0) -> Value:
    """tril(Tensor self, SymInt diagonal=0) -> Tensor"""
    return lower_triangle(g, self, diagonal)


@symbolic("aten::triu")
def triu(g: SymbolicContext, self: Value, diagonal: SymInt = 0) -> Value:
    """triu(Tensor self, SymInt diagonal=0) -> Tensor"""
    return upper_triangle(g, self, diagonal)


@symbolic("aten::tril_indices")
def tril_indices(
    g: SymbolicContext,
    row: int,
    col: int,
    offset: int = 0,
    dtype: ir.DataType | int | None = _INT64,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """tril_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return places_of_lower_triangle(g, row, col, offset, dtype)


@symbolic("aten::triu_indices")
def triu_indices(
    g: SymbolicContext,
    row: int,
    col: int,
    offset: int = 0,
    dtype: ir.DataType | int | None = _INT64,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """triu_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return places_of_upper_triangle(g, row, col, offset, dtype)


@symbolic("aten::diagonal", "aten::diagonal_copy")
def diagonal(g: SymbolicContext, self: Value, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Value:
    """diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)"""
    return diagonal_of(g, self, offset, dim1, dim2)


@symbolic("aten::linalg_diagonal")
def linalg_diagonal(g: SymbolicContext, A: Value, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Value:
    """linalg_diagonal(Tensor(a) A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor(a)"""
    return diagonal(g, A, offset, dim1, dim2)


@symbolic("aten::diag")
def diag(g: SymbolicContext, self: Value, diagonal: int = 0) -> Value:
    """diag(Tensor self, int diagonal=0) -> Tensor"""
    return diag_embed(g, self, diagonal) if rank_of(g, self) == 1 else diagonal_of(g, self, diagonal, 0, 1)


@symbolic("aten::diagflat")
def diagflat(g: SymbolicContext, self: Value, offset: int = 0) -> Value:
    """diagflat(Tensor self, int offset=0) -> Tensor"""
    return diag_embed(g, g.Reshape(self, [-1]), offset)


@symbolic("aten::diag_embed")
def diag_embed(g: SymbolicContext, self: Value, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Value:
    """diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor"""
    return diagonal_embedded(g, self, offset, dim1, dim2)
