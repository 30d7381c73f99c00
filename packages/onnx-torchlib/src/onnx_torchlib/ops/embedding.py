"""Embeddings."""

from __future__ import annotations

from onnx_ir_capture.contracts import SymInt, Value
from onnx_torchlib import Op, translator

__all__ = ["embedding", "embedding_renorm"]


@translator("aten::embedding")
def embedding(
    op: Op,
    weight: Value,
    indices: Value,
    padding_idx: SymInt = -1,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Value:
    """embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False) -> Tensor"""
    return op.Gather(weight, indices, axis=0)


@translator("aten::embedding_renorm")
def embedding_renorm(op: Op, self: Value, indices: Value, max_norm: float, norm_type: float) -> Value:
    """embedding_renorm(Tensor self, Tensor indices, float max_norm, float norm_type) -> Tensor"""
    op.refuse("max_norm of an embedding changes its weights, which are constant in an ONNX model")
