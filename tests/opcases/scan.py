"""Running totals and extrema."""

from __future__ import annotations

import torch

from opcases._case import OpCase, bools, floats, ints

__all__ = ["CASES"]

X = floats(2, 3, 5)
NUMBERS = (torch.float32, torch.float64, torch.float16, torch.int64, torch.int32, torch.uint8)

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
        "cumprod", lambda x: torch.cumprod(x, 1), (X,), dtypes=(torch.float32, torch.float64, torch.float16)
    ),
    OpCase("cumprod extremes", lambda x: torch.cumprod(x, -1), (floats(11, 3),), extremes=True),
    OpCase(
        "cumprod int",
        lambda x: torch.cumprod(x, 1),
        (ints(-9, 9, 2, 5),),
        dynamic=[[0]],
        dtypes=(torch.int64, torch.int32, torch.bool),
    ),
    OpCase("cumprod int wraps", lambda x: torch.cumprod(x, 0), (ints(-99, 99, 23, 3),), dynamic=[[1]]),
    OpCase(
        "cumprod int32",
        lambda x: torch.cumprod(x, 1, dtype=torch.int32),
        (ints(1, 99, 2, 11),),
        dynamic=[[0]],
    ),
    OpCase("cumprod int dynamic", lambda x: torch.cumprod(x, 1), (ints(1, 9, 2, 5),), since=26),
    OpCase(
        "cumprod uint8", lambda x: torch.cumprod(x, 1, dtype=torch.uint8), (ints(1, 9, 2, 5),), dynamic=None
    ),
    OpCase("cumprod 0-d", lambda x: torch.cumprod(x, 0), (floats(),)),
    OpCase("cummax", torch.cummax, (X, 1), dtypes=NUMBERS),
    OpCase("cummax ties", torch.cummax, (ints(-2, 3, 3, 37), -1), extremes=True),
    OpCase("cummax undefined", torch.cummax, (floats(37), 0), extremes=True),
    OpCase("cummax bool", torch.cummax, (bools(3, 7), 0)),
    OpCase("cummax 0-d", torch.cummax, (floats(), 0)),
    OpCase("cummin", torch.cummin, (X, -1), dtypes=NUMBERS),
    OpCase("cummin ties", torch.cummin, (ints(-2, 3, 37, 3).int(), 0), extremes=True),
    OpCase("cummin undefined", torch.cummin, (floats(2, 17), 1), extremes=True),
    OpCase("logcumsumexp", torch.logcumsumexp, (X, 1), dtypes=(torch.float32, torch.float64, torch.float16)),
    OpCase("logcumsumexp extremes", torch.logcumsumexp, (floats(3, 17), 0), extremes=True),
    OpCase("logcumsumexp large", torch.logcumsumexp, (floats(5, 3) * 200, 0)),
    OpCase("logcumsumexp 0-d", torch.logcumsumexp, (floats(), 0)),
]
