"""Distances and angles between vectors, and losses on them."""

from __future__ import annotations

import math

import torch
from torch.nn import functional as f

from opcases._case import OpCase, bools, floats

__all__ = ["CASES"]

FLOAT = (torch.float32, torch.float64)
X, Y, Z = floats(5, 7), floats(5, 7, seed=1), floats(5, 7, seed=2)
SIGNS = bools(5).long() * 2 - 1

CASES = [
    OpCase("cosine_similarity", f.cosine_similarity, (X, Y), dtypes=FLOAT),
    OpCase("cosine_similarity axis", lambda x, y: f.cosine_similarity(x, y, 0, 0.5), (X * 0.1, Y * 0.1)),
    OpCase("cosine_similarity broadcast", lambda x, y: f.cosine_similarity(x, y, -1), (X, floats(7, seed=1))),
    OpCase(
        "cosine_similarity of one", lambda x, y: f.cosine_similarity(x, y, 1), (X, floats(5, 1)), dynamic=None
    ),
    OpCase(
        "cosine_similarity missing axis", lambda x, y: f.cosine_similarity(x, y, 0), (X, floats(7, seed=1))
    ),
    OpCase("cosine_similarity of zeros", f.cosine_similarity, (X * 0, Y)),
    OpCase("pairwise_distance", f.pairwise_distance, (X, Y), dtypes=FLOAT),
    OpCase("pairwise_distance 1", lambda x, y: f.pairwise_distance(x, y, 1.0, keepdim=True), (X, Y)),
    OpCase("pairwise_distance inf", lambda x, y: f.pairwise_distance(x, y, math.inf), (X, Y)),
    OpCase("pairwise_distance broadcast", f.pairwise_distance, (X, floats(7, seed=1))),
    OpCase("dist", torch.dist, (X, Y), dtypes=FLOAT),
    OpCase("dist 1", lambda x, y: torch.dist(x, y, 1), (X, Y)),
    OpCase("cosine_embedding_loss", f.cosine_embedding_loss, (X, Y, SIGNS), dtypes=FLOAT),
    OpCase(
        "cosine_embedding_loss margin",
        lambda x, y, t: f.cosine_embedding_loss(x, y, t, 0.25, reduction="none"),
        (X, Y, SIGNS),
    ),
    OpCase("cosine_embedding_loss 1-d", f.cosine_embedding_loss, (X[0], Y[0], SIGNS[0])),
    OpCase("triplet_margin_loss", f.triplet_margin_loss, (X, Y, Z), dtypes=FLOAT),
    OpCase(
        "triplet_margin_loss swap",
        lambda x, y, z: f.triplet_margin_loss(x, y, z, 0.5, 1, swap=True, reduction="none"),
        (X, Y, Z),
    ),
    OpCase("pdist", f.pdist, (X,), dtypes=FLOAT),
    *(OpCase(f"pdist {p}", lambda x, p=p: f.pdist(x, p), (X,), dynamic=None) for p in (0.0, 1.0, 3.5)),
    OpCase("pdist inf", lambda x: f.pdist(x, math.inf), (X,), extremes=True),
    OpCase("pdist of one", f.pdist, (X[:1],), dynamic=None),
    OpCase("_pdist_forward", torch.ops.aten._pdist_forward, (X,)),
]
