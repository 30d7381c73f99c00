"""Attention."""

from __future__ import annotations

import math

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import dimension, opmath_dtype, product, promote, rank_of
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
        key, value = _repeated_heads(op, key, query), _repeated_heads(op, value, query)
    rank = rank_of(op, key)
    turned = op.Transpose(key, perm=[*range(rank - 2), rank - 1, rank - 2])
    scores = op.MatMul(_scaled(op, query, scale), turned)
    if is_causal:
        # Every row sees the first key, so none is masked as a whole.
        return op.MatMul(_softmax(op, op.Add(scores, _causal_bias(op, query, key))), value)
    if attn_mask is None:
        return op.MatMul(_softmax(op, scores), value)
    bias, alive = _bias(op, attn_mask, query)
    weights = op.cast(_softmax(op, _added(op, scores, bias)), value.dtype or ir.DataType.FLOAT)
    return op.Mul(op.MatMul(weights, value), alive)


def _repeated_heads(op: Op, value: Value, query: Value) -> Value:
    """``value`` with each head repeated, one after the other, until there are as many as in ``query``."""
    heads, wanted = dimension(op, value, -3), dimension(op, query, -3)
    if not isinstance(heads, int) or not isinstance(wanted, int):
        op.refuse(
            "it shares heads between queries (enable_gqa=True), and the number of heads is not constant"
        )
    if heads == wanted:
        return value
    return op.Gather(
        value, [head // (wanted // heads) for head in range(wanted)], axis=rank_of(op, value) - 3
    )


def _scaled(op: Op, query: Value, scale: float | None) -> Value:
    """``query`` times the scale of the scores: one factor here costs less than one on the scores."""
    if scale is not None:
        return product(op, query, scale)
    width = dimension(op, query, -1)
    if isinstance(width, int):
        return product(op, query, 1.0 / math.sqrt(max(width, 1)))
    dtype = query.dtype or ir.DataType.FLOAT
    wide = opmath_dtype(dtype)
    return op.cast(op.Div(op.cast(query, wide), op.Sqrt(op.cast(width, wide))), dtype)


def _softmax(op: Op, scores: Value) -> Value:
    return op.Softmax(scores, axis=-1)


def _added(op: Op, scores: Value, bias: Value) -> Value:
    """The sum in the wider dtype: half precision would turn the smallest float32 into an infinity."""
    return op.Add(*promote(op, scores, bias))


def _causal_bias(op: Op, query: Value, key: Value) -> Value:
    """0 where the key's position is not after the query's, else minus infinity.

    Positions count from the first on both sides, however many there are.
    """
    rows, columns = (op.Range(0, dimension(op, side, -2), 1) for side in (query, key))
    return _blocking(op, op.LessOrEqual(columns, op.Unsqueeze(rows, [1])), query)


def _blocking(op: Op, seen: Value, like: Value) -> Value:
    """A bias that lets only the keys that are ``seen`` take part."""
    dtype = like.dtype or ir.DataType.FLOAT
    return op.Where(seen, op.constant(0.0, dtype), op.constant(-math.inf, dtype))


def _bias(op: Op, mask: Value, like: Value) -> tuple[Value, Value]:
    """What a mask adds to the scores, and a factor for the result.

    A query that no key is open to gets zeros from torch, not the NaN of a softmax over minus infinities.
    Its bias is 0 here and its factor 0, in place of a look at every weight: both are on the mask alone, so
    layers that share a mask share them.
    """
    dtype = like.dtype or ir.DataType.FLOAT
    if mask.dtype == ir.DataType.BOOL:
        alive = _any_open(op, mask, dtype)
        dead = op.Not(op.Cast(alive, to=ir.DataType.BOOL))
        return _blocking(op, op.Or(mask, dead), like), alive
    # Not the largest number of the row, for which ONNX Runtime passes NaN over.
    alive = _any_open(op, op.Not(op.Equal(mask, -math.inf)), dtype)
    return op.Where(op.Cast(alive, to=ir.DataType.BOOL), mask, 0.0), alive


def _any_open(op: Op, seen: Value, dtype: ir.DataType) -> Value:
    """1 for a query that some key is open to, else 0."""
    return op.ReduceMax(op.Cast(seen, to=dtype), [-1], keepdims=1)
