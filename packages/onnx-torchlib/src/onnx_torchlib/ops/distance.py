"""Distances and angles between vectors, and losses on them."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, SymInt, Value
from onnx_ir_capture.emit import (
    dimension,
    dtype_of,
    normalize_axis,
    places_of_upper_triangle,
    promote,
    rank_of,
)
from onnx_torchlib import Op, translator
from onnx_torchlib._reduction import reduced
from onnx_torchlib.ops.norm import linalg_vector_norm

__all__ = [
    "cosine_embedding_loss",
    "cosine_similarity",
    "dist",
    "pairwise_distance",
    "pdist",
    "triplet_margin_loss",
]


@translator("aten::cosine_similarity")
def cosine_similarity(op: Op, x1: Value, x2: Value, dim: int = 1, eps: float = 1e-08) -> Value:
    """cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor"""
    left, right = promote(op, x1, x2)
    rank = max(rank_of(op, left), rank_of(op, right))
    # Counted from the last axis, which stays the same where the shorter shape is filled up in front.
    axis = normalize_axis(dim, rank) - rank
    if min(rank_of(op, left), rank_of(op, right)) < -axis or _is_broadcast(left, right, axis):
        left, right = op.Expand(left, op.Shape(right)), op.Expand(right, op.Shape(left))
    product = op.Mul(_unit(op, left, axis, eps), _unit(op, right, axis, eps))
    return op.ReduceSum(product, [axis], keepdims=0)


def _is_broadcast(left: Value, right: Value, axis: int) -> bool:
    """Whether a single element along ``axis`` may stand for all: its norm is not that of the whole."""
    sizes = [(value.shape or ())[axis] for value in (left, right)]
    return sizes[0] != sizes[1] or not (isinstance(sizes[0], int) or sizes[0].value is not None)


def _unit(op: Op, value: Value, axis: int, eps: float) -> Value:
    length = linalg_vector_norm(op, value, 2, [axis], True)
    return op.Div(value, op.Max(length, op.constant(eps, dtype_of(op, value))))


# Added to every difference, so that a distance of 0 has a gradient.
_APART = 1e-06


@translator("aten::pairwise_distance")
def pairwise_distance(
    op: Op, x1: Value, x2: Value, p: float = 2.0, eps: float = _APART, keepdim: bool = False
) -> Value:
    """pairwise_distance(Tensor x1, Tensor x2, float p=2., float eps=9.9999999999999995e-07, bool keepdim=False) -> Tensor"""
    difference = op.Add(op.Sub(*promote(op, x1, x2)), eps)
    return linalg_vector_norm(op, difference, p, [-1], keepdim)


@translator("aten::pdist", "aten::_pdist_forward")
def pdist(op: Op, self: Value, p: float = 2.0) -> Value:
    """pdist(Tensor self, float p=2.) -> Tensor"""
    pairs = _pairs(op, dimension(op, self, 0))
    first, second = (op.Gather(self, op.Gather(pairs, row, axis=0), axis=0) for row in (0, 1))
    return linalg_vector_norm(op, op.Sub(first, second), p, [-1])


def _pairs(op: Op, count: SymInt) -> Value:
    """The first and the second place of every pair of ``count`` things, in two rows."""
    if isinstance(count, int):
        return places_of_upper_triangle(op, count, count, 1, None)
    places = op.Range(0, count, 1)
    return op.NonZero(op.Less(op.Unsqueeze(places, [1]), places))


@translator("aten::dist")
def dist(op: Op, self: Value, other: Value, p: Scalar = 2) -> Value:
    """dist(Tensor self, Tensor other, Scalar p=2) -> Tensor"""
    return linalg_vector_norm(op, op.Sub(*promote(op, self, other)), p)


# torch adds this to the squares of lengths in cosine_embedding_loss.
_LEAST_SQUARE = 1e-12


@translator("aten::cosine_embedding_loss")
def cosine_embedding_loss(
    op: Op, input1: Value, input2: Value, target: Value, margin: float = 0.0, reduction: int = 1
) -> Value:
    """cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0., int reduction=1) -> Tensor"""
    left, right = promote(op, input1, input2)
    axis = rank_of(op, target)
    squares = op.Mul(_dot(op, left, left, axis, _LEAST_SQUARE), _dot(op, right, right, axis, _LEAST_SQUARE))
    cosine = op.Div(_dot(op, left, right, axis), op.Sqrt(squares))
    zero = op.constant(0, dtype_of(op, cosine))
    alike = op.Where(op.Equal(target, 1), op.Sub(1.0, cosine), zero)
    unlike = op.Where(op.Equal(target, -1), op.Max(op.Sub(cosine, margin), zero), zero)
    return reduced(op, op.Add(alike, unlike), reduction)


def _dot(op: Op, left: Value, right: Value, axis: int, more: float | None = None) -> Value:
    total = op.ReduceSum(op.Mul(left, right), [axis], keepdims=0)
    return total if more is None else op.Add(total, more)


@translator("aten::triplet_margin_loss")
def triplet_margin_loss(
    op: Op,
    anchor: Value,
    positive: Value,
    negative: Value,
    margin: float = 1.0,
    p: float = 2.0,
    eps: float = _APART,
    swap: bool = False,
    reduction: int = 1,
) -> Value:
    """triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1., float p=2., float eps=9.9999999999999995e-07, bool swap=False, int reduction=1) -> Tensor"""
    near = pairwise_distance(op, anchor, positive, p, eps)
    far = pairwise_distance(op, anchor, negative, p, eps)
    if swap:
        far = op.Min(far, pairwise_distance(op, positive, negative, p, eps))
    gap = op.Sub(op.Add(near, margin), far)
    return reduced(op, op.Max(gap, op.constant(0, gap.dtype or ir.DataType.FLOAT)), reduction)
