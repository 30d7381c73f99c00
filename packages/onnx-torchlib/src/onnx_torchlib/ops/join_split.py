"""Tensors joined along an axis, and split along one."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import (
    cut,
    dimension,
    divided,
    joined,
    padded_to_longest,
    pieces,
    rank_of,
    split_into,
    stacked,
    with_added_axes,
)
from onnx_torchlib import Op, translator

__all__ = [
    "cat",
    "chunk",
    "column_stack",
    "dstack",
    "hstack",
    "pad_sequence",
    "split",
    "split_with_sizes",
    "stack",
    "tensor_split",
    "tensor_split_indices",
    "unbind",
    "vstack",
]


@translator("aten::cat", "aten::concat", "aten::concatenate")
def cat(op: Op, tensors: Sequence[Value], dim: int = 0) -> Value:
    """cat(Tensor[] tensors, int dim=0) -> Tensor"""
    return joined(op, tensors, dim)


@translator("aten::stack")
def stack(op: Op, tensors: Sequence[Value], dim: int = 0) -> Value:
    """stack(Tensor[] tensors, int dim=0) -> Tensor"""
    return stacked(op, tensors, dim)


@translator("aten::hstack")
def hstack(op: Op, tensors: Sequence[Value]) -> Value:
    """hstack(Tensor[] tensors) -> Tensor"""
    rows = [op.Reshape(value, [1]) if rank_of(op, value) == 0 else value for value in tensors]
    return cat(op, rows, 0 if rank_of(op, rows[0]) == 1 else 1)


@translator("aten::vstack", "aten::row_stack")
def vstack(op: Op, tensors: Sequence[Value]) -> Value:
    """vstack(Tensor[] tensors) -> Tensor"""
    return cat(op, [with_added_axes(op, value, [[0, 1], [0]]) for value in tensors], 0)


@translator("aten::dstack")
def dstack(op: Op, tensors: Sequence[Value]) -> Value:
    """dstack(Tensor[] tensors) -> Tensor"""
    return cat(op, [with_added_axes(op, value, [[0, 1, 2], [0, 2], [2]]) for value in tensors], 2)


@translator("aten::column_stack")
def column_stack(op: Op, tensors: Sequence[Value]) -> Value:
    """column_stack(Tensor[] tensors) -> Tensor"""
    return cat(op, [with_added_axes(op, value, [[0, 1], [1]]) for value in tensors], 1)


@translator("aten::pad_sequence")
def pad_sequence(
    op: Op,
    sequences: Sequence[Value],
    batch_first: bool = False,
    padding_value: float = 0.0,
    padding_side: str = "right",
) -> Value:
    """pad_sequence(Tensor[] sequences, bool batch_first=False, float padding_value=0., str padding_side="right") -> Tensor"""
    return padded_to_longest(op, sequences, batch_first, padding_value, padding_side)


@translator("aten::split.Tensor", "aten::unsafe_split.Tensor", "aten::split_copy.Tensor")
def split(op: Op, self: Value, split_size: SymInt, dim: int = 0) -> Sequence[Value]:
    """split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]"""
    return pieces(op, self, split_size, dim)


@translator(
    "aten::split_with_sizes",
    "aten::split.sizes",
    "aten::unsafe_split_with_sizes",
    "aten::split_with_sizes_copy",
)
def split_with_sizes(op: Op, self: Value, split_sizes: Sequence[SymInt], dim: int = 0) -> Sequence[Value]:
    """split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]"""
    return split_into(op, self, split_sizes, dim)


@translator("aten::chunk", "aten::unsafe_chunk")
def chunk(op: Op, self: Value, chunks: int, dim: int = 0) -> Sequence[Value]:
    """chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]"""
    size = dimension(op, self, dim)
    if isinstance(size, int):
        return pieces(op, self, -(-size // chunks), dim)
    return pieces(op, self, op.Div(op.Add(size, chunks - 1), chunks), dim)


@translator("aten::unbind.int", "aten::unbind_copy.int")
def unbind(op: Op, self: Value, dim: int = 0) -> Sequence[Value]:
    """unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]"""
    count = len(op.frame.expected)
    return [op.Squeeze(piece, [dim]) for piece in split_into(op, self, [1] * count, dim)] if count else []


@translator("aten::tensor_split.sections")
def tensor_split(op: Op, self: Value, sections: SymInt, dim: int = 0) -> Sequence[Value]:
    """tensor_split.sections(Tensor(a -> *) self, SymInt sections, int dim=0) -> Tensor(a)[]"""
    return divided(op, self, dim)


@translator("aten::tensor_split.indices")
def tensor_split_indices(op: Op, self: Value, indices: Sequence[SymInt], dim: int = 0) -> Sequence[Value]:
    """tensor_split.indices(Tensor(a -> *) self, SymInt[] indices, int dim=0) -> Tensor(a)[]"""
    return cut(op, self, indices, dim)
