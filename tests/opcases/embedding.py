"""Embeddings."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from opcases._case import OpCase, floats, ints

__all__ = ["CASES"]

TABLE = floats(11, 3)
FLOATS = (torch.float32, torch.float64, torch.float16)
INDICES = [[0, 1], []]

CASES = [
    OpCase("embedding", F.embedding, (ints(0, 11, 2, 5), TABLE), dynamic=INDICES),
    OpCase("embedding int32", F.embedding, (ints(0, 11, 2, 5).int(), TABLE), dynamic=INDICES),
    OpCase("embedding padding", F.embedding, (ints(0, 11, 2, 5), TABLE), {"padding_idx": 3}, dynamic=INDICES),
    OpCase("embedding 0-d", F.embedding, (torch.tensor(7), TABLE), dynamic=None),
    OpCase("embedding none", F.embedding, (ints(0, 11, 2, 0), TABLE), dynamic=None),
    OpCase(
        "embedding non-contiguous",
        lambda i, w: F.embedding(i.t(), w),
        (ints(0, 11, 2, 5), TABLE),
        dynamic=INDICES,
    ),
    OpCase(
        "embedding of integers",
        lambda w, i: torch.ops.aten.embedding(w, i),
        (ints(0, 9, 11, 3), ints(0, 11, 5).int()),
        dynamic=[[], [0]],
    ),
    OpCase(
        "embedding dtypes",
        lambda w, i: F.embedding(i, w),
        (TABLE, ints(0, 11, 5)),
        dynamic=[[1], [0]],
        dtypes=FLOATS,
    ),
    OpCase(
        "embedding_renorm",
        torch.ops.aten.embedding_renorm,
        (TABLE, ints(0, 11, 5), 1.0, 2.0),
        dynamic=None,
        refused="max_norm",
    ),
]
