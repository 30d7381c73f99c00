"""Embeddings summed up by bags."""

from __future__ import annotations

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import bags_of_rows
from onnx_torchlib import Op, translator

__all__ = ["embedding_bag", "embedding_bag_forward"]


@translator("aten::embedding_bag", "aten::embedding_bag.padding_idx")
def embedding_bag(
    op: Op,
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
        op, weight, indices, offsets, mode, per_sample_weights, include_last_offset, padding_idx
    )


@translator("aten::_embedding_bag", "aten::_embedding_bag_forward_only")
def embedding_bag_forward(
    op: Op,
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
    return embedding_bag(op, weight, indices, offsets, *options)
