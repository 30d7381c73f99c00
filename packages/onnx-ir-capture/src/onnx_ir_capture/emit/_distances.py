"""Distances and angles between vectors, and losses on them."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit._diagonals import places_of_upper_triangle
from onnx_ir_capture.emit._dtypes import dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._loss_reduction import reduced
from onnx_ir_capture.emit._normalization import vector_norm
from onnx_ir_capture.emit._promotion import promote
from onnx_ir_capture.emit._shapes import dimension, normalize_axis, rank_of

__all__ = ["cosine_of", "cosine_of_pairs", "distance_of_pairs", "distances_within", "triplet_margin"]


def cosine_of(emitter: Emitter, x1: Value, x2: Value, dim: int, eps: float) -> Value:
    """The cosine of the angle between vectors along ``dim``."""
    left, right = promote(emitter, x1, x2)
    rank = max(rank_of(emitter, left), rank_of(emitter, right))
    # Counted from the last axis, which stays the same where the shorter shape is filled up in front.
    axis = normalize_axis(dim, rank) - rank
    if min(rank_of(emitter, left), rank_of(emitter, right)) < -axis or _is_broadcast(left, right, axis):
        left, right = emitter.Expand(left, emitter.Shape(right)), emitter.Expand(right, emitter.Shape(left))
    product = emitter.Mul(_unit(emitter, left, axis, eps), _unit(emitter, right, axis, eps))
    return emitter.ReduceSum(product, [axis], keepdims=0)


def _is_broadcast(left: Value, right: Value, axis: int) -> bool:
    """Whether a single element along ``axis`` may stand for all: its norm is not that of the whole."""
    sizes = [(value.shape or ())[axis] for value in (left, right)]
    return sizes[0] != sizes[1] or not (isinstance(sizes[0], int) or sizes[0].value is not None)


def _unit(emitter: Emitter, value: Value, axis: int, eps: float) -> Value:
    length = vector_norm(emitter, value, 2, [axis], True)
    return emitter.Div(value, emitter.Max(length, emitter.constant(eps, dtype_of(emitter, value))))


def distance_of_pairs(
    emitter: Emitter, x1: Value, x2: Value, p: float, eps: float, keepdim: bool = False
) -> Value:
    """The norm of the difference of vectors along the last axis, ``eps`` added to each element."""
    difference = emitter.Add(emitter.Sub(*promote(emitter, x1, x2)), eps)
    return vector_norm(emitter, difference, p, [-1], keepdim)


def distances_within(emitter: Emitter, value: Value, p: float) -> Value:
    """The distances of every pair of rows."""
    pairs = _pairs(emitter, dimension(emitter, value, 0))
    first, second = (emitter.Gather(value, emitter.Gather(pairs, row, axis=0), axis=0) for row in (0, 1))
    return vector_norm(emitter, emitter.Sub(first, second), p, [-1])


def _pairs(emitter: Emitter, count: SymInt) -> Value:
    """The first and the second place of every pair of ``count`` things, in two rows."""
    if isinstance(count, int):
        return places_of_upper_triangle(emitter, count, count, 1, None)
    places = emitter.Range(0, count, 1)
    return emitter.NonZero(emitter.Less(emitter.Unsqueeze(places, [1]), places))


# torch adds this to the squares of lengths in cosine_embedding_loss.
_LEAST_SQUARE = 1e-12


def cosine_of_pairs(
    emitter: Emitter, input1: Value, input2: Value, target: Value, margin: float, reduction: int
) -> Value:
    """What the cosines of alike pairs lack of 1, and those of unlike ones have above ``margin``."""
    left, right = promote(emitter, input1, input2)
    axis = rank_of(emitter, target)
    squares = emitter.Mul(
        _dot(emitter, left, left, axis, _LEAST_SQUARE), _dot(emitter, right, right, axis, _LEAST_SQUARE)
    )
    cosine = emitter.Div(_dot(emitter, left, right, axis), emitter.Sqrt(squares))
    zero = emitter.constant(0, dtype_of(emitter, cosine))
    alike = emitter.Where(emitter.Equal(target, 1), emitter.Sub(1.0, cosine), zero)
    unlike = emitter.Where(emitter.Equal(target, -1), emitter.Max(emitter.Sub(cosine, margin), zero), zero)
    return reduced(emitter, emitter.Add(alike, unlike), reduction)


def _dot(emitter: Emitter, left: Value, right: Value, axis: int, more: float | None = None) -> Value:
    total = emitter.ReduceSum(emitter.Mul(left, right), [axis], keepdims=0)
    return total if more is None else emitter.Add(total, more)


def triplet_margin(
    emitter: Emitter,
    anchor: Value,
    positive: Value,
    negative: Value,
    margin: float,
    p: float,
    eps: float,
    swap: bool,
    reduction: int,
) -> Value:
    """What negative examples lack of being farther away than positive ones by ``margin``."""
    near = distance_of_pairs(emitter, anchor, positive, p, eps)
    far = distance_of_pairs(emitter, anchor, negative, p, eps)
    if swap:
        far = emitter.Min(far, distance_of_pairs(emitter, positive, negative, p, eps))
    gap = emitter.Sub(emitter.Add(near, margin), far)
    return reduced(emitter, emitter.Max(gap, emitter.constant(0, gap.dtype or ir.DataType.FLOAT)), reduction)
