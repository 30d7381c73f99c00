"""Members picked by an index tensor of the result's shape."""

from __future__ import annotations

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import normalize_axis, rank_of
from onnx_torchlib import Op, translator

__all__ = ["gather", "take_along_dim"]


@translator("aten::gather")
def gather(op: Op, self: Value, dim: int, index: Value, sparse_grad: bool = False) -> Value:
    """gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor"""
    if rank_of(op, index) == 0:
        line = op.GatherElements(op.Reshape(self, [-1]), op.Reshape(index, [1]), axis=0)
        return op.Reshape(line, op.constant([]))
    source = op.Reshape(self, [1]) if rank_of(op, self) == 0 else self
    return op.GatherElements(source, index, axis=normalize_axis(dim, rank_of(op, source)))


@translator("aten::take_along_dim")
def take_along_dim(op: Op, self: Value, indices: Value, dim: int | None = None) -> Value:
    """take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor"""
    if dim is None:
        return op.GatherElements(op.Reshape(self, [-1]), op.Reshape(indices, [-1]), axis=0)
    axis = normalize_axis(dim, rank_of(op, self))
    # Both are broadcast to each other on all axes but this one.
    return op.GatherElements(_spread(op, self, indices, axis), _spread(op, indices, self, axis), axis=axis)


def _spread(op: Op, value: Value, other: Value, axis: int) -> Value:
    shape = op.Shape(other)
    before, after = op.Slice(shape, [0], [axis]), op.Slice(shape, [axis + 1], [len(other.shape or ())])
    return op.Expand(value, op.Concat(before, [1], after, axis=0))
