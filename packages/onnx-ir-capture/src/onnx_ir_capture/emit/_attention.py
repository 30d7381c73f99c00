"""Attention by its parts."""

from __future__ import annotations

import math

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit._division import opmath_dtype, product
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._promotion import promote
from onnx_ir_capture.emit._shapes import dimension, rank_of

__all__ = ["attention"]


def attention(
    emitter: Emitter,
    query: Value,
    key: Value,
    value: Value,
    attn_mask: Value | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Value:
    """The softmax of scaled and masked scores, times ``value``."""
    if dropout_p != 0:
        emitter.refuse(f"it drops attention weights (dropout_p={dropout_p}); export the model in eval mode")
    if enable_gqa:
        key, value = _repeated_heads(emitter, key, query), _repeated_heads(emitter, value, query)
    rank = rank_of(emitter, key)
    turned = emitter.Transpose(key, perm=[*range(rank - 2), rank - 1, rank - 2])
    scores = emitter.MatMul(_scaled(emitter, query, scale), turned)
    if is_causal:
        # Every row sees the first key, so none is masked as a whole.
        return emitter.MatMul(
            _softmax(emitter, emitter.Add(scores, _causal_bias(emitter, query, key))), value
        )
    if attn_mask is None:
        return emitter.MatMul(_softmax(emitter, scores), value)
    bias, alive = _bias(emitter, attn_mask, query)
    weights = emitter.cast(_softmax(emitter, _added(emitter, scores, bias)), value.dtype or ir.DataType.FLOAT)
    return emitter.Mul(emitter.MatMul(weights, value), alive)


def _repeated_heads(emitter: Emitter, value: Value, query: Value) -> Value:
    """``value`` with each head repeated, one after the other, until there are as many as in ``query``."""
    heads, wanted = dimension(emitter, value, -3), dimension(emitter, query, -3)
    if not isinstance(heads, int) or not isinstance(wanted, int):
        emitter.refuse(
            "it shares heads between queries (enable_gqa=True), and the number of heads is not constant"
        )
    if heads == wanted:
        return value
    return emitter.Gather(
        value, [head // (wanted // heads) for head in range(wanted)], axis=rank_of(emitter, value) - 3
    )


def _scaled(emitter: Emitter, query: Value, scale: float | None) -> Value:
    """``query`` times the scale of the scores: one factor here costs less than one on the scores."""
    if scale is not None:
        return product(emitter, query, scale)
    width = dimension(emitter, query, -1)
    if isinstance(width, int):
        return product(emitter, query, 1.0 / math.sqrt(max(width, 1)))
    dtype = query.dtype or ir.DataType.FLOAT
    wide = opmath_dtype(dtype)
    return emitter.cast(
        emitter.Div(emitter.cast(query, wide), emitter.Sqrt(emitter.cast(width, wide))), dtype
    )


def _softmax(emitter: Emitter, scores: Value) -> Value:
    return emitter.Softmax(scores, axis=-1)


def _added(emitter: Emitter, scores: Value, bias: Value) -> Value:
    """The sum in the wider dtype: half precision would turn the smallest float32 into an infinity."""
    return emitter.Add(*promote(emitter, scores, bias))


def _causal_bias(emitter: Emitter, query: Value, key: Value) -> Value:
    """0 where the key's position is not after the query's, else minus infinity.

    Positions count from the first on both sides, however many there are.
    """
    rows, columns = (emitter.Range(0, dimension(emitter, side, -2), 1) for side in (query, key))
    return _blocking(emitter, emitter.LessOrEqual(columns, emitter.Unsqueeze(rows, [1])), query)


def _blocking(emitter: Emitter, seen: Value, like: Value) -> Value:
    """A bias that lets only the keys that are ``seen`` take part."""
    dtype = like.dtype or ir.DataType.FLOAT
    return emitter.Where(seen, emitter.constant(0.0, dtype), emitter.constant(-math.inf, dtype))


def _bias(emitter: Emitter, mask: Value, like: Value) -> tuple[Value, Value]:
    """What a mask adds to the scores, and a factor for the result.

    A query that no key is open to gets zeros from torch, not the NaN of a softmax over minus infinities.
    Its bias is 0 here and its factor 0, in place of a look at every weight: both are on the mask alone, so
    layers that share a mask share them.
    """
    dtype = like.dtype or ir.DataType.FLOAT
    if mask.dtype == ir.DataType.BOOL:
        alive = _any_open(emitter, mask, dtype)
        dead = emitter.Not(emitter.Cast(alive, to=ir.DataType.BOOL))
        return _blocking(emitter, emitter.Or(mask, dead), like), alive
    # Not the largest number of the row, for which ONNX Runtime passes NaN over.
    alive = _any_open(emitter, emitter.Not(emitter.Equal(mask, -math.inf)), dtype)
    return emitter.Where(emitter.Cast(alive, to=ir.DataType.BOOL), mask, 0.0), alive


def _any_open(emitter: Emitter, seen: Value, dtype: ir.DataType) -> Value:
    """1 for a query that some key is open to, else 0."""
    return emitter.ReduceMax(emitter.Cast(seen, to=dtype), [-1], keepdims=1)
