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
from onnx_symbolics import SymbolicContext, symbolic

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


@symbolic("aten::cat", "aten::concat", "aten::concatenate")
def cat(g: SymbolicContext, tensors: Sequence[Value], dim: int = 0) -> Value:
    """cat(Tensor[] tensors, int dim=0) -> Tensor"""
    return joined(g, tensors, dim)


@symbolic("aten::stack")
def stack(g: SymbolicContext, tensors: Sequence[Value], dim: int = 0) -> Value:
    """stack(Tensor[] tensors, int dim=0) -> Tensor"""
    return stacked(g, tensors, dim)


@symbolic("aten::hstack")
def hstack(g: SymbolicContext, tensors: Sequence[Value]) -> Value:
    """hstack(Tensor[] tensors) -> Tensor"""
    rows = [g.Reshape(value, [1]) if rank_of(g, value) == 0 else value for value in tensors]
    return cat(g, rows, 0 if rank_of(g, rows[0]) == 1 else 1)


@symbolic("aten::vstack", "aten::row_stack")
def vstack(g: SymbolicContext, tensors: Sequence[Value]) -> Value:
    """vstack(Tensor[] tensors) -> Tensor"""
    return cat(g, [with_added_axes(g, value, [[0, 1], [0]]) for value in tensors], 0)


@symbolic("aten::dstack")
def dstack(g: SymbolicContext, tensors: Sequence[Value]) -> Value:
    """dstack(Tensor[] tensors) -> Tensor"""
    return cat(g, [with_added_axes(g, value, [[0, 1, 2], [0, 2], [2]]) for value in tensors], 2)


@symbolic("aten::column_stack")
def column_stack(g: SymbolicContext, tensors: Sequence[Value]) -> Value:
    """column_stack(Tensor[] tensors) -> Tensor"""
    return cat(g, [with_added_axes(g, value, [[0, 1], [1]]) for value in tensors], 1)


@symbolic("aten::pad_sequence")
def pad_sequence(
    g: SymbolicContext,
    sequences: Sequence[Value],
    batch_first: bool = False,
    padding_value: float = 0.0,
    padding_side: str = "right",
) -> Value:
    """pad_sequence(Tensor[] sequences, bool batch_first=False, float padding_value=0., str padding_side="right") -> Tensor"""
    return padded_to_longest(g, sequences, batch_first, padding_value, padding_side)


@symbolic("aten::split.Tensor", "aten::unsafe_split.Tensor", "aten::split_copy.Tensor")
def split(g: SymbolicContext, self: Value, split_size: SymInt, dim: int = 0) -> Sequence[Value]:
    """split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]"""
    return pieces(g, self, split_size, dim)


@symbolic(
    "aten::split_with_sizes",
    "aten::split.sizes",
    "aten::unsafe_split_with_sizes",
    "aten::split_with_sizes_copy",
)
def split_with_sizes(
    g: SymbolicContext, self: Value, split_sizes: Sequence[SymInt], dim: int = 0
) -> Sequence[Value]:
    """split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]"""
    return split_into(g, self, split_sizes, dim)


@symbolic("aten::chunk", "aten::unsafe_chunk")
def chunk(g: SymbolicContext, self: Value, chunks: int, dim: int = 0) -> Sequence[Value]:
    """chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]"""
    size = dimension(g, self, dim)
    if isinstance(size, int):
        return pieces(g, self, -(-size // chunks), dim)
    return pieces(g, self, g.Div(g.Add(size, chunks - 1), chunks), dim)


@symbolic("aten::unbind.int", "aten::unbind_copy.int")
def unbind(g: SymbolicContext, self: Value, dim: int = 0) -> Sequence[Value]:
    """unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]"""
    count = len(g.frame.expected)
    return [g.Squeeze(piece, [dim]) for piece in split_into(g, self, [1] * count, dim)] if count else []


@symbolic("aten::tensor_split.sections")
def tensor_split(g: SymbolicContext, self: Value, sections: SymInt, dim: int = 0) -> Sequence[Value]:
    """tensor_split.sections(Tensor(a -> *) self, SymInt sections, int dim=0) -> Tensor(a)[]"""
    return divided(g, self, dim)


@symbolic("aten::tensor_split.indices")
def tensor_split_indices(
    g: SymbolicContext, self: Value, indices: Sequence[SymInt], dim: int = 0
) -> Sequence[Value]:
    """tensor_split.indices(Tensor(a -> *) self, SymInt[] indices, int dim=0) -> Tensor(a)[]"""
    return cut(g, self, indices, dim)
