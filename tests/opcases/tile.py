"""Repetitions of a tensor, and grids of several."""

from __future__ import annotations

import torch

from opcases._case import OpCase, floats, ints

__all__ = ["CASES"]

ALL = (torch.float32, torch.float64, torch.float16, torch.int64, torch.int32, torch.uint8, torch.bool)
X = floats(3, 5)
Y = floats(7, seed=1)
Z = floats(2, seed=2)

CASES = [
    OpCase("repeat", lambda x: x.repeat(2, 3), (X,), dtypes=ALL),
    OpCase("repeat more", lambda x: x.repeat(2, 1, 3), (X,)),
    OpCase("repeat size", lambda x, y: x.repeat(y.shape[0], 1), (X, Y)),
    OpCase("repeat nothing", lambda x: x.repeat(0, 2), (X,), dynamic=None),
    OpCase("repeat empty", lambda x: x.repeat(2, 2), (X[:0],), dynamic=None),
    OpCase("repeat 0-d", lambda x: x.repeat(3), (floats(),)),
    OpCase("repeat 0-d once", lambda x: x.repeat([]), (floats(),)),
    OpCase("tile", lambda x: torch.tile(x, (2,)), (X,)),
    OpCase("tile more", lambda x: torch.tile(x, (2, 1, 3)), (X,), dtypes=(torch.int64, torch.bool)),
    OpCase("repeat_interleave.self_int", lambda x: x.repeat_interleave(3), (X,), dtypes=ALL),
    OpCase("repeat_interleave.self_int axis", lambda x: x.repeat_interleave(2, -1), (X,)),
    OpCase("repeat_interleave.self_int static", lambda x: x.repeat_interleave(2, 0), (X,), dynamic=None),
    OpCase("repeat_interleave.self_int none", lambda x: x.repeat_interleave(0, 0), (X,), dynamic=None),
    OpCase("repeat_interleave.self_int size", lambda x, y: x.repeat_interleave(y.shape[0], 1), (X, Y)),
    OpCase(
        "repeat_interleave.self_Tensor",
        lambda x, n: x.repeat_interleave(n, 0, output_size=6),
        (X, torch.tensor([2, 0, 4])),
        dynamic=[[1], []],
    ),
    OpCase(
        "repeat_interleave.self_Tensor unknown",
        lambda x, n: x.repeat_interleave(n, 1),
        (X, torch.tensor([0, 2, 1, 3, 0], dtype=torch.int32)),
        resized=[{3: 2, 5: 7}],
    ),
    OpCase(
        "repeat_interleave.self_Tensor one",
        lambda x, n: x.repeat_interleave(n, 1, output_size=15),
        (X, torch.tensor([3])),
        dynamic=None,
    ),
    OpCase(
        "repeat_interleave.self_Tensor line",
        lambda x, n: x.repeat_interleave(n),
        (floats(5), ints(0, 4, 5)),
    ),
    OpCase(
        "repeat_interleave.Tensor",
        torch.repeat_interleave,
        (ints(0, 4, 5),),
        dtypes=(torch.int64, torch.int32),
    ),
    OpCase("repeat_interleave.Tensor of zeros", torch.repeat_interleave, (ints(0, 1, 5),)),
    OpCase(
        "meshgrid.indexing", lambda *xs: torch.meshgrid(*xs, indexing="ij"), (Y, Z, floats(5)), dtypes=ALL
    ),
    OpCase("meshgrid.indexing xy", lambda *xs: torch.meshgrid(*xs, indexing="xy"), (Y, Z, floats(5))),
    OpCase("meshgrid.indexing 0-d", lambda *xs: torch.meshgrid(*xs, indexing="xy"), (Y, floats())),
    OpCase("meshgrid.indexing one", lambda x: torch.meshgrid(x, indexing="xy"), (Y,)),
    OpCase("meshgrid", lambda *xs: torch.ops.aten.meshgrid(xs), (Y, Z)),
    OpCase("cartesian_prod", torch.cartesian_prod, (Y, Z, floats(5)), dtypes=(torch.float32, torch.int64)),
    OpCase("cartesian_prod one", lambda x: torch.cartesian_prod(x) * 2, (Y,)),
]
