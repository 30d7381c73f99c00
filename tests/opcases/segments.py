"""Reductions of segments of an axis."""

from __future__ import annotations

import dataclasses

import torch

from opcases._case import OpCase, floats, ints

__all__ = ["CASES"]

X, LENGTHS = floats(7, 3), torch.tensor([2, 0, 4, 1])
TABLE, ROWS = floats(2, 5, 3), torch.tensor([[2, 0, 3], [1, 1, 3]])
NAN = torch.where(ints(0, 4, 7, 3) == 0, torch.nan, X)
reduce = torch.segment_reduce

_ROWS = [
    *(
        OpCase(
            f"segment_reduce {how}",
            lambda x, n, how=how: reduce(x, how, lengths=n),
            (NAN, LENGTHS),
            dynamic=[[1], []],
        )
        for how in ("sum", "mean", "prod", "max", "min")
    ),
    *(
        OpCase(
            f"segment_reduce {how} initial",
            lambda x, n, how=how: reduce(x, how, lengths=n, initial=0.5, unsafe=True),
            (X, LENGTHS),
            dynamic=None,
            dtypes=(torch.float32, torch.float64),
        )
        for how in ("sum", "mean", "prod", "max", "min")
    ),
    OpCase(
        "segment_reduce offsets",
        lambda x, n: reduce(x, "max", offsets=n),
        (X, torch.tensor([0, 2, 2, 7])),
        dynamic=None,
    ),
    OpCase(
        "segment_reduce line", lambda x, n: reduce(x, "mean", lengths=n), (X[:, 0], LENGTHS), dynamic=None
    ),
    OpCase(
        "segment_reduce rows", lambda x, n: reduce(x, "sum", lengths=n, axis=1), (TABLE, ROWS), dynamic=None
    ),
]

# ScatterElements knows the extrema from opset 18.
CASES = [
    dataclasses.replace(row, since=18) if {"max", "min", "offsets"} & {*row.name.split()} else row
    for row in _ROWS
]
