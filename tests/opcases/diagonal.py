"""Diagonals and triangles of matrices."""

from __future__ import annotations

import torch

from opcases._case import OpCase, floats

__all__ = ["CASES"]

ALL = (torch.float32, torch.float64, torch.float16, torch.int64, torch.int32, torch.uint8, torch.bool)
X = floats(5, 7)
CUBE = floats(5, 7, 11)

CASES = [
    OpCase("tril", torch.tril, (X,), dtypes=ALL, extremes=True),
    OpCase("tril above", lambda x: torch.tril(x, 2), (CUBE,)),
    OpCase("tril below", lambda x: torch.tril(x, -2), (CUBE,)),
    OpCase("tril beyond", lambda x: torch.tril(x, -100), (X,)),
    OpCase("tril runtime", lambda x, y: torch.tril(x, y.shape[0] - 5), (X, floats(3))),
    OpCase("tril empty", torch.tril, (X[:0],), dynamic=None),
    OpCase("triu", torch.triu, (X,), dtypes=ALL, extremes=True),
    OpCase("triu above", lambda x: torch.triu(x, 2), (CUBE,)),
    OpCase("triu beyond", lambda x: torch.triu(x, 100), (X,)),
    OpCase("triu runtime", lambda x, y: torch.triu(x, y.shape[0] - 1), (X, floats(3))),
    OpCase("triu empty", torch.triu, (X[:, :0],), dynamic=None),
    OpCase("tril_indices", lambda: torch.tril_indices(5, 7, 1)),
    OpCase("tril_indices below", lambda: torch.tril_indices(5, 3, -2, dtype=torch.int32)),
    OpCase("triu_indices", lambda: torch.triu_indices(5, 7)),
    OpCase("triu_indices none", lambda: torch.triu_indices(3, 2, 5)),
    OpCase("diagonal", torch.diagonal, (X,), dtypes=ALL),
    OpCase("diagonal above", lambda x: torch.diagonal(x, 2), (X,)),
    OpCase("diagonal below", lambda x: torch.diagonal(x, -3), (X,)),
    OpCase("diagonal beyond", lambda x: torch.diagonal(x, 100), (X,)),
    OpCase("diagonal axes", lambda x: torch.diagonal(x, 1, -1, 0), (CUBE,)),
    OpCase("diagonal static", lambda x: torch.diagonal(x, -1, 0, 2), (CUBE,), dynamic=None),
    OpCase("diagonal static beyond", lambda x: torch.diagonal(x, -9), (X,), dynamic=None),
    OpCase("diagonal_copy", torch.ops.aten.diagonal_copy, (X,)),
    OpCase("linalg_diagonal", lambda x: torch.linalg.diagonal(x, offset=1), (CUBE,)),
    OpCase("diag of a matrix", lambda x: torch.diag(x, 1), (X,)),
    OpCase("diag", lambda x: torch.diag(x, -2), (floats(5),), dtypes=ALL),
    OpCase("diagflat", lambda x: torch.diagflat(x, 1), (X,)),
    OpCase("diag_embed", torch.diag_embed, (X,), dtypes=ALL, extremes=True),
    OpCase("diag_embed above", lambda x: torch.diag_embed(x, 2), (X,), extremes=True),
    OpCase("diag_embed below", lambda x: torch.diag_embed(x, -3, 0, 2), (CUBE,)),
    OpCase("diag_embed axes", lambda x: torch.diag_embed(x, 1, -1, 0), (CUBE,)),
    OpCase("diag_embed static", lambda x: torch.diag_embed(x, -1), (X,), dynamic=None),
    OpCase("diag_embed empty", lambda x: torch.diag_embed(x, 1), (X[:, :0],), dynamic=None),
]
