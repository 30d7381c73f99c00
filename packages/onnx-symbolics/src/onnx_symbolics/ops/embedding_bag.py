"""Embeddings summed up by bags."""

from __future__ import annotations

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import bags_of_rows
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["embedding_bag", "embedding_bag_forward"]


@symbolic("aten::embedding_bag", "aten::embedding_bag.padding_idx", since=16)
def embedding_bag(
    g: SymbolicContext,
    weight: Value,
    indices: Value,
    offsets: Value,
    scale_grad_by_freq: bool = False,
    mode: int = 0,
    sparse: bool = False,
    per_sample_weights: Value | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> tuple[Value, Value, Value, Value]:
    """embedding_bag.padding_idx(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq, int mode, bool sparse, Tensor? per_sample_weights, bool include_last_offset, int? padding_idx) -> (Tensor, Tensor, Tensor, Tensor)

    Only the first result is torch's; the others serve the backward pass alone, and torch itself leaves out some.
    """
    return bags_of_rows(
        g, weight, indices, offsets, mode, per_sample_weights, include_last_offset, padding_idx
    )


@symbolic("aten::_embedding_bag", "aten::_embedding_bag_forward_only", since=16)
def embedding_bag_forward(
    g: SymbolicContext,
    weight: Value,
    indices: Value,
    offsets: Value,
    scale_grad_by_freq: bool = False,
    mode: int = 0,
    sparse: bool = False,
    per_sample_weights: Value | None = None,
    include_last_offset: bool = False,
    padding_idx: int = -1,
) -> tuple[Value, Value, Value, Value]:
    """_embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)"""
    # Here a negative index says that there is no padding; in embedding_bag it counts from the last row.
    padding = padding_idx if padding_idx >= 0 else None
    options = (scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset, padding)
    return embedding_bag(g, weight, indices, offsets, *options)
