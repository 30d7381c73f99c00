"""Members picked by an index tensor of the result's shape."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import torch

from opcases._case import OpCase, bools, floats, ints

__all__ = ["CASES"]

ALL = (torch.float32, torch.float64, torch.float16, torch.int64, torch.int32, torch.uint8, torch.bool)
X = floats(5, 7, 11)
# Sizes stay large enough for the indices, and the index no larger than what it picks from.
SMALL = [{5: 3, 7: 4, 11: 6, 2: 1, 3: 2}, {5: 4, 7: 3, 11: 3, 2: 3, 3: 1}]


def gather(name: str, *args: object) -> OpCase:
    return OpCase(f"gather {name}", torch.gather, args, resized=SMALL)


NUMBERS = ALL[:-1]
# Each place once, so that torch and ONNX have one answer; and places named many times.
ORDER = torch.tensor([2, 0, 1])[None, :, None].expand(3, 3, 3)
SORTED = torch.arange(5)[:, None, None].expand(5, 7, 11).flip(0)
MANY = ints(0, 3, 5, 5, 11)
EDGES = ints(0, 3, 5, 37, 11)
SPECIAL = torch.tensor([1.0, -1.0, math.nan, math.inf, 2.0, -math.inf, math.nan, 0.0])


def scattered(
    name: str, function: object, *args: object, dtypes: Sequence[torch.dtype] = (), **kwargs: object
) -> OpCase:
    assert callable(function)
    return OpCase(name, function, args, kwargs, resized=[{7: 13}, {7: 5}], dtypes=dtypes)


_ROWS = [
    OpCase(
        "gather",
        torch.gather,
        (X, 0, ints(0, 3, 13, 7, 11)),
        resized=[{5: 3, 7: 4, 11: 6, 13: 1}],
        dtypes=ALL,
    ),
    gather("middle axis", X, 1, ints(0, 3, 5, 2, 11)),
    gather("negative axis", X, -1, ints(0, 3, 5, 7, 3)),
    gather("smaller index", X, 1, ints(0, 3, 2, 7, 3)),
    gather("smaller index in front", X, 2, ints(0, 3, 2, 3, 11)),
    OpCase("gather 0-d", torch.gather, (floats(), 0, torch.tensor(0))),
    OpCase("gather of 0-d", torch.gather, (floats(), -1, ints(0, 1, 3))),
    OpCase(
        "gather by 0-d", torch.gather, (floats(5), 0, torch.tensor(2)), dynamic=[[0], []], resized=[{5: 3}]
    ),
    OpCase("gather none", torch.gather, (X, 1, ints(0, 3, 5, 0, 11)), dynamic=None),
    OpCase(
        "gather non-contiguous",
        lambda x, i: x.mT.gather(1, i),
        (floats(3, 5), ints(0, 3, 3, 2)),
        dynamic=None,
    ),
    OpCase("take_along_dim", torch.take_along_dim, (X, ints(0, 3, 5, 2, 11), 1), dynamic=None, dtypes=ALL),
    OpCase("take_along_dim broadcast", torch.take_along_dim, (X, ints(0, 3, 1, 2, 1), 1), dynamic=None),
    OpCase(
        "take_along_dim broadcast self",
        torch.take_along_dim,
        (X[:, :, :1], ints(0, 3, 5, 2, 11), -2),
        dynamic=None,
    ),
    OpCase("take_along_dim flat", torch.take_along_dim, (X, ints(0, 9, 2, 3)), dynamic=None),
    OpCase("scatter.src", torch.scatter, (X, 0, SORTED, X), dynamic=None, dtypes=ALL),
    scattered("scatter.src smaller index", torch.scatter, X, 1, ORDER, floats(5, 7, 11)),
    scattered("scatter.src negative axis", torch.scatter, X.mT, -2, ORDER.mT, floats(3, 11, 3)),
    OpCase("scatter.src 0-d", torch.scatter, (floats(), 0, torch.tensor(0), floats(seed=1))),
    OpCase("scatter.src of 0-d", torch.scatter, (floats(), -1, torch.tensor([0]), floats(3)), dynamic=None),
    OpCase("scatter.src by 0-d", torch.scatter, (floats(5), 0, torch.tensor(2), floats()), dynamic=None),
    OpCase("scatter.src none", torch.scatter, (X, 1, ints(0, 3, 5, 0, 11), X), dynamic=None),
    scattered("scatter.value", torch.scatter, X, 1, ORDER, 2, dtypes=ALL),
    scattered("scatter.value fraction", torch.scatter, X.int(), -2, ORDER, 2.75),
    scattered("scatter.value 0-d", torch.scatter, floats(), 0, torch.tensor(0), 2.5),
    *(
        scattered(
            f"scatter.reduce {way}", torch.scatter, X, 1, MANY, floats(5, 7, 11), reduce=way, dtypes=NUMBERS
        )
        for way in ("add", "multiply")
    ),
    scattered("scatter.value_reduce add", torch.scatter, X, 1, MANY, 2.5, reduce="add"),
    scattered("scatter.value_reduce multiply", torch.scatter, X.int(), 1, MANY, 3, reduce="multiply"),
    scattered("scatter_add", torch.scatter_add, X, 1, MANY, floats(5, 7, 11), dtypes=ALL),
    scattered("scatter_add of many into few", torch.scatter_add, X, 1, EDGES, floats(5, 37, 11)),
    OpCase(
        "scatter_reduce.two of many into few",
        torch.scatter_reduce,
        (X[:, :3], 1, EDGES, EDGES.float(), "mean"),
        dynamic=None,
    ),
    scattered("scatter_add last axis", torch.scatter_add, X.mT, -1, MANY.mT, floats(5, 11, 7)),
    OpCase("scatter_add none", torch.scatter_add, (X, 1, ints(0, 3, 5, 0, 11), X), dynamic=None),
    OpCase("scatter_add 0-d", torch.scatter_add, (floats(), 0, torch.tensor(0), floats(seed=1))),
    *(
        scattered(
            f"scatter_reduce.two {way}{'' if include else ' alone'}",
            torch.scatter_reduce,
            X * 3,
            1,
            MANY,
            floats(5, 7, 11) * 5,
            reduce=way,
            include_self=include,
            dtypes=NUMBERS,
        )
        for way in ("sum", "prod", "amax", "amin", "mean")
        for include in (True, False)
    ),
    *(
        OpCase(
            f"scatter_reduce.two {way} bool",
            torch.scatter_reduce,
            (bools(5, 7, 11), 1, MANY, bools(5, 7, 11, seed=1), way),
            {"include_self": False},
            dynamic=None,
        )
        for way in ("sum", "prod", "amax", "amin")
    ),
    *(
        OpCase(
            f"scatter_reduce.two {way} undefined",
            torch.scatter_reduce,
            (SPECIAL, 0, torch.tensor([3, 1, 1, 0, 2, 2, 4, 4]), SPECIAL.flip(0), way),
            dynamic=None,
        )
        for way in ("sum", "amax", "amin", "mean")
    ),
    OpCase(
        "scatter_reduce.two 0-d", torch.scatter_reduce, (floats(), 0, torch.tensor(0), floats(seed=1), "mean")
    ),
    *(
        OpCase(
            f"index_reduce {way}{'' if include else ' alone'}",
            torch.index_reduce,
            (X * 3, 1, torch.tensor([2, 0, 2]), floats(5, 3, 11), way),
            {"include_self": include},
            dynamic=None,
        )
        for way, include in (("prod", True), ("amax", False), ("amin", True), ("mean", False))
    ),
]

# ScatterElements knows the extrema from opset 18.
CASES = [
    dataclasses.replace(row, since=18) if {"amax", "amin"} & {*row.name.split()} else row for row in _ROWS
]
