"""Indexing with tensors."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import indexed, normalize_axis, rank_of, same_shape
from onnx_torchlib import Op, translator

__all__ = ["index", "index_select", "masked_select", "take"]


@translator("aten::index.Tensor")
def index(op: Op, self: Value, indices: Sequence[Value | None]) -> Value:
    """index.Tensor(Tensor self, Tensor?[] indices) -> Tensor"""
    return indexed(op, self, indices)


@translator("aten::index_select")
def index_select(op: Op, self: Value, dim: int, index: Value) -> Value:
    """index_select(Tensor self, int dim, Tensor index) -> Tensor"""
    if rank_of(op, self) == 0:
        return op.Reshape(op.Gather(op.Reshape(self, [1]), index, axis=0), op.constant([]))
    places = index if rank_of(op, index) == 1 else op.Reshape(index, [1])
    return op.Gather(self, places, axis=normalize_axis(dim, rank_of(op, self)))


@translator("aten::take")
def take(op: Op, self: Value, index: Value) -> Value:
    """take(Tensor self, Tensor index) -> Tensor"""
    return op.Gather(op.Reshape(self, [-1]), index, axis=0)


@translator("aten::masked_select")
def masked_select(op: Op, self: Value, mask: Value) -> Value:
    """masked_select(Tensor self, Tensor mask) -> Tensor"""
    if same_shape(self, mask):
        return op.Compress(op.Reshape(self, [-1]), op.Reshape(mask, [-1]), axis=0)
    members, truth = op.Expand(self, op.Shape(mask)), op.Expand(mask, op.Shape(self))
    return op.Compress(op.Reshape(members, [-1]), op.Reshape(truth, [-1]), axis=0)
