"""Attention."""

from __future__ import annotations

import math

import onnx_ir as ir
from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import dimension, rank_of, size_vector

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
    if dropout_p != 0:
        op.refuse(f"it drops attention weights (dropout_p={dropout_p}); export the model in eval mode")
    if enable_gqa:
        op.refuse("grouped queries (enable_gqa=True) are not translated")
    if is_causal:
        attn_mask = _causal_mask(op, query, key)
    width = query.shape[-1] if query.shape is not None else None
    if scale is None:
        if not isinstance(width, int):
            op.refuse("the width of a head is not constant, and no scale is given")
        scale = 1.0 / math.sqrt(width)
    # The scale is split over both factors, as torch's own kernel does, to keep half precision in range.
    root = math.sqrt(scale)
    rank = rank_of(op, key)
    turned = op.Transpose(key, perm=[*range(rank - 2), rank - 1, rank - 2])
    weights = op.MatMul(op.Mul(query, root), op.Mul(turned, root))
    if attn_mask is not None:
        weights = op.Add(weights, _additive(op, attn_mask, query))
    return op.MatMul(op.Softmax(weights, axis=-1), value)


def _additive(op: Op, mask: Value, like: Value) -> Value:
    if mask.dtype != ir.DataType.BOOL:
        return mask
    return op.Where(mask, _number(op, 0.0, like), _number(op, -math.inf, like))


def _number(op: Op, number: float, like: Value) -> Value:
    return op.constant(number, like.dtype or ir.DataType.FLOAT)


def _causal_mask(op: Op, query: Value, key: Value) -> Value:
    """True where the key's position is not after the query's; aligned to the upper left, as torch's is."""
    ones = op.Expand(op.constant(1), size_vector(op, [dimension(op, query, -2), dimension(op, key, -2)]))
    return op.Cast(op.Trilu(ones, upper=0), to=ir.DataType.BOOL)
