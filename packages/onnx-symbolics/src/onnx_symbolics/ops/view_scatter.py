"""A tensor with a slice, a member or a diagonal of it replaced: what a write through a view becomes."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import with_diagonal, with_member, with_slice, with_strided
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["as_strided_scatter", "diagonal_scatter", "select_scatter", "slice_scatter"]


@symbolic("aten::slice_scatter")
def slice_scatter(
    g: SymbolicContext,
    self: Value,
    src: Value,
    dim: int = 0,
    start: SymInt | None = None,
    end: SymInt | None = None,
    step: SymInt = 1,
) -> Value:
    """slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor"""
    return with_slice(g, self, src, dim, start, end, step)


@symbolic("aten::as_strided_scatter")
def as_strided_scatter(
    g: SymbolicContext,
    self: Value,
    src: Value,
    size: Sequence[SymInt],
    stride: Sequence[SymInt],
    storage_offset: SymInt | None = None,
) -> Value:
    """as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor"""
    return with_strided(g, self, src, size, stride, storage_offset)


@symbolic("aten::select_scatter")
def select_scatter(g: SymbolicContext, self: Value, src: Value, dim: int, index: SymInt) -> Value:
    """select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor"""
    return with_member(g, self, src, dim, index)


@symbolic("aten::diagonal_scatter")
def diagonal_scatter(
    g: SymbolicContext, self: Value, src: Value, offset: int = 0, dim1: int = 0, dim2: int = 1
) -> Value:
    """diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor"""
    return with_diagonal(g, self, src, offset, dim1, dim2)
