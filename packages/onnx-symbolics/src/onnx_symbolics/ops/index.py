"""Indexing with tensors."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import indexed, normalize_axis, rank_of, same_shape
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["index", "index_select", "masked_select", "take"]


@symbolic("aten::index.Tensor")
def index(g: SymbolicContext, self: Value, indices: Sequence[Value | None]) -> Value:
    """index.Tensor(Tensor self, Tensor?[] indices) -> Tensor"""
    return indexed(g, self, indices)


@symbolic("aten::index_select")
def index_select(g: SymbolicContext, self: Value, dim: int, index: Value) -> Value:
    """index_select(Tensor self, int dim, Tensor index) -> Tensor"""
    if rank_of(g, self) == 0:
        return g.Reshape(g.Gather(g.Reshape(self, [1]), index, axis=0), g.constant([]))
    places = index if rank_of(g, index) == 1 else g.Reshape(index, [1])
    return g.Gather(self, places, axis=normalize_axis(dim, rank_of(g, self)))


@symbolic("aten::take")
def take(g: SymbolicContext, self: Value, index: Value) -> Value:
    """take(Tensor self, Tensor index) -> Tensor"""
    return g.Gather(g.Reshape(self, [-1]), index, axis=0)


@symbolic("aten::masked_select")
def masked_select(g: SymbolicContext, self: Value, mask: Value) -> Value:
    """masked_select(Tensor self, Tensor mask) -> Tensor"""
    if same_shape(self, mask):
        return g.Compress(g.Reshape(self, [-1]), g.Reshape(mask, [-1]), axis=0)
    members, truth = g.Expand(self, g.Shape(mask)), g.Expand(mask, g.Shape(self))
    return g.Compress(g.Reshape(members, [-1]), g.Reshape(truth, [-1]), axis=0)
