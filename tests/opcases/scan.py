"""Running totals."""

from __future__ import annotations

import torch

from opcases._case import OpCase, bools, floats, ints

__all__ = ["CASES"]

X = floats(2, 3, 5)

CASES = [
    OpCase("cumsum", lambda x: torch.cumsum(x, 1), (X,), dtypes=(torch.float32, torch.float64)),
    OpCase(
        "cumsum int",
        lambda x: torch.cumsum(x, -1),
        (ints(-9, 10, 2, 7),),
        dtypes=(torch.int8, torch.int32, torch.int64),
    ),
    OpCase("cumsum bool", lambda x: torch.cumsum(x, 0), (bools(3, 5),)),
    OpCase("cumsum dtype", lambda x: torch.cumsum(x, 0, dtype=torch.float64), (X,)),
    OpCase("cumsum int32", lambda x: torch.cumsum(x, 0, dtype=torch.int32), (ints(-9, 10, 7),)),
    OpCase("cumsum 0-d", lambda x: torch.cumsum(x, 0), (floats(),)),
    OpCase(
        "cumprod",
        lambda x: torch.cumprod(x, 1),
        (X,),
        since=26,
        dtypes=(torch.float32, torch.float64, torch.int64),
    ),
]
