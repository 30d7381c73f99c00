"""Repetitions of a tensor, and grids of several."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import (
    each_repeated,
    each_repeated_by,
    grids,
    promote,
    rank_of,
    repeated,
    repeated_places,
)
from onnx_symbolics import SymbolicContext, symbolic

__all__ = [
    "cartesian_prod",
    "meshgrid",
    "meshgrid_indexing",
    "repeat",
    "repeat_interleave",
    "repeat_interleave_int",
    "repeat_interleave_tensor",
    "tile",
]


@symbolic("aten::repeat")
def repeat(g: SymbolicContext, self: Value, repeats: Sequence[SymInt]) -> Value:
    """repeat(Tensor self, SymInt[] repeats) -> Tensor"""
    return repeated(g, self, repeats)


@symbolic("aten::tile")
def tile(g: SymbolicContext, self: Value, dims: Sequence[SymInt]) -> Value:
    """tile(Tensor self, SymInt[] dims) -> Tensor"""
    missing = max(rank_of(g, self) - len(dims), 0)
    return repeat(g, self, [*[1] * missing, *dims])


@symbolic("aten::repeat_interleave.self_int")
def repeat_interleave_int(
    g: SymbolicContext,
    self: Value,
    repeats: SymInt,
    dim: int | None = None,
    output_size: SymInt | None = None,
) -> Value:
    """repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, SymInt? output_size=None) -> Tensor"""
    return each_repeated(g, self, repeats, dim)


@symbolic("aten::repeat_interleave.self_Tensor", since=16)
def repeat_interleave_tensor(
    g: SymbolicContext, self: Value, repeats: Value, dim: int | None = None, output_size: SymInt | None = None
) -> Value:
    """repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, SymInt? output_size=None) -> Tensor"""
    return each_repeated_by(g, self, repeats, dim)


@symbolic("aten::repeat_interleave.Tensor", since=16)
def repeat_interleave(g: SymbolicContext, repeats: Value, output_size: SymInt | None = None) -> Value:
    """repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor"""
    return repeated_places(g, repeats)


@symbolic("aten::meshgrid")
def meshgrid(g: SymbolicContext, tensors: Sequence[Value]) -> Sequence[Value]:
    """meshgrid(Tensor[] tensors) -> Tensor[]"""
    return grids(g, tensors)


@symbolic("aten::meshgrid.indexing")
def meshgrid_indexing(g: SymbolicContext, tensors: Sequence[Value], indexing: str) -> Sequence[Value]:
    """meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]"""
    if indexing == "ij" or len(tensors) < 2:
        return meshgrid(g, tensors)
    first, second, *rest = tensors
    swapped = [1, 0, *range(2, len(tensors))]
    found = meshgrid(g, [second, first, *rest])
    return [found[place] for place in swapped]


@symbolic("aten::cartesian_prod")
def cartesian_prod(g: SymbolicContext, tensors: Sequence[Value]) -> Value:
    """cartesian_prod(Tensor[] tensors) -> Tensor"""
    if len(tensors) == 1:
        return tensors[0]
    columns = [g.Reshape(grid, [-1, 1]) for grid in meshgrid(g, promote(g, *tensors))]
    return g.Concat(*columns, axis=1)
