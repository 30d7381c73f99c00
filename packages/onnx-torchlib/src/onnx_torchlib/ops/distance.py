"""Distances and angles between vectors, and losses on them."""

from __future__ import annotations

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit import (
    cosine_of,
    cosine_of_pairs,
    distance_of_pairs,
    distances_within,
    promote,
    triplet_margin,
    vector_norm,
)
from onnx_torchlib import Op, translator

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
    return cosine_of(op, x1, x2, dim, eps)


@translator("aten::pairwise_distance")
def pairwise_distance(
    op: Op, x1: Value, x2: Value, p: float = 2.0, eps: float = 1e-06, keepdim: bool = False
) -> Value:
    """pairwise_distance(Tensor x1, Tensor x2, float p=2., float eps=9.9999999999999995e-07, bool keepdim=False) -> Tensor"""
    return distance_of_pairs(op, x1, x2, p, eps, keepdim)


@translator("aten::pdist", "aten::_pdist_forward")
def pdist(op: Op, self: Value, p: float = 2.0) -> Value:
    """pdist(Tensor self, float p=2.) -> Tensor"""
    return distances_within(op, self, p)


@translator("aten::dist")
def dist(op: Op, self: Value, other: Value, p: Scalar = 2) -> Value:
    """dist(Tensor self, Tensor other, Scalar p=2) -> Tensor"""
    return vector_norm(op, op.Sub(*promote(op, self, other)), p)


@translator("aten::cosine_embedding_loss")
def cosine_embedding_loss(
    op: Op, input1: Value, input2: Value, target: Value, margin: float = 0.0, reduction: int = 1
) -> Value:
    """cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0., int reduction=1) -> Tensor"""
    return cosine_of_pairs(op, input1, input2, target, margin, reduction)


@translator("aten::triplet_margin_loss")
def triplet_margin_loss(
    op: Op,
    anchor: Value,
    positive: Value,
    negative: Value,
    margin: float = 1.0,
    p: float = 2.0,
    eps: float = 1e-6,
    swap: bool = False,
    reduction: int = 1,
) -> Value:
    """triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1., float p=2., float eps=9.9999999999999995e-07, bool swap=False, int reduction=1) -> Tensor"""
    return triplet_margin(op, anchor, positive, negative, margin, p, eps, swap, reduction)
