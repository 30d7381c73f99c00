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
from onnx_torchlib import Op, translator

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


@translator("aten::repeat")
def repeat(op: Op, self: Value, repeats: Sequence[SymInt]) -> Value:
    """repeat(Tensor self, SymInt[] repeats) -> Tensor"""
    return repeated(op, self, repeats)


@translator("aten::tile")
def tile(op: Op, self: Value, dims: Sequence[SymInt]) -> Value:
    """tile(Tensor self, SymInt[] dims) -> Tensor"""
    missing = max(rank_of(op, self) - len(dims), 0)
    return repeat(op, self, [*[1] * missing, *dims])


@translator("aten::repeat_interleave.self_int")
def repeat_interleave_int(
    op: Op, self: Value, repeats: SymInt, dim: int | None = None, output_size: SymInt | None = None
) -> Value:
    """repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, SymInt? output_size=None) -> Tensor"""
    return each_repeated(op, self, repeats, dim)


@translator("aten::repeat_interleave.self_Tensor")
def repeat_interleave_tensor(
    op: Op, self: Value, repeats: Value, dim: int | None = None, output_size: SymInt | None = None
) -> Value:
    """repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, SymInt? output_size=None) -> Tensor"""
    return each_repeated_by(op, self, repeats, dim)


@translator("aten::repeat_interleave.Tensor")
def repeat_interleave(op: Op, repeats: Value, output_size: SymInt | None = None) -> Value:
    """repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor"""
    return repeated_places(op, repeats)


@translator("aten::meshgrid")
def meshgrid(op: Op, tensors: Sequence[Value]) -> Sequence[Value]:
    """meshgrid(Tensor[] tensors) -> Tensor[]"""
    return grids(op, tensors)


@translator("aten::meshgrid.indexing")
def meshgrid_indexing(op: Op, tensors: Sequence[Value], indexing: str) -> Sequence[Value]:
    """meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]"""
    if indexing == "ij" or len(tensors) < 2:
        return meshgrid(op, tensors)
    first, second, *rest = tensors
    swapped = [1, 0, *range(2, len(tensors))]
    found = meshgrid(op, [second, first, *rest])
    return [found[place] for place in swapped]


@translator("aten::cartesian_prod")
def cartesian_prod(op: Op, tensors: Sequence[Value]) -> Value:
    """cartesian_prod(Tensor[] tensors) -> Tensor"""
    if len(tensors) == 1:
        return tensors[0]
    columns = [op.Reshape(grid, [-1, 1]) for grid in meshgrid(op, promote(op, *tensors))]
    return op.Concat(*columns, axis=1)
