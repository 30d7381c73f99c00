"""Attention."""

from __future__ import annotations

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import attention
from onnx_torchlib import Op, translator

__all__ = ["scaled_dot_product_attention"]


@translator("aten::scaled_dot_product_attention")
def scaled_dot_product_attention(
    op: Op,
    query: Value,
    key: Value,
    value: Value,
    attn_mask: Value | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Value:
    """scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0.0, bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> Tensor"""
    return attention(op, query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa)
