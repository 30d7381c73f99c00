"""The same elements in another shape."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import dimension, reshape, size_vector

from onnx_torchlib import Op, translator

__all__ = ["expand", "expand_as", "sym_size", "unsqueeze", "view"]


@translator("aten::view", "aten::reshape")
def view(op: Op, self: Value, size: Sequence[SymInt]) -> Value:
    """view(Tensor(a) self, SymInt[] size) -> Tensor(a)"""
    return reshape(op, self, size)


@translator("aten::unsqueeze")
def unsqueeze(op: Op, self: Value, dim: int) -> Value:
    """unsqueeze(Tensor(a) self, int dim) -> Tensor(a)"""
    return op.Unsqueeze(self, [dim])


@translator("aten::expand")
def expand(op: Op, self: Value, size: Sequence[SymInt], implicit: bool = False) -> Value:
    """expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)"""
    return op.Expand(self, size_vector(op, [1 if size_ == -1 else size_ for size_ in size]))


@translator("aten::sym_size.int")
def sym_size(op: Op, self: Value, dim: int) -> Value:
    """sym_size.int(Tensor self, int dim) -> SymInt"""
    size = dimension(op, self, dim)
    return op.constant(size) if isinstance(size, int) else size


@translator("aten::expand_as")
def expand_as(op: Op, self: Value, other: Value) -> Value:
    """expand_as(Tensor(a) self, Tensor other) -> Tensor(a)"""
    return op.Expand(self, op.Shape(other))


@translator("aten::dropout")
def dropout(op: Op, input: Value, p: float, train: bool) -> Value:
    """dropout(Tensor input, float p, bool train) -> Tensor"""
    return input
