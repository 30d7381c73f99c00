"""Embeddings."""

from __future__ import annotations

from onnx_ir_capture.contracts import SymInt, Value
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["embedding", "embedding_renorm"]


@symbolic("aten::embedding")
def embedding(
    g: SymbolicContext,
    weight: Value,
    indices: Value,
    padding_idx: SymInt = -1,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Value:
    """embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False) -> Tensor"""
    return g.Gather(weight, indices, axis=0)


@symbolic("aten::embedding_renorm")
def embedding_renorm(
    g: SymbolicContext, self: Value, indices: Value, max_norm: float, norm_type: float
) -> Value:
    """embedding_renorm(Tensor self, Tensor indices, float max_norm, float norm_type) -> Tensor"""
    g.refuse("max_norm of an embedding changes its weights, which are constant in an ONNX model")
