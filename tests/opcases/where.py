"""Choices between elements by a mask."""

from __future__ import annotations

import math

import torch

from opcases._case import OpCase, bools, floats, ints

__all__ = ["CASES"]

NUMBERS = (torch.float32, torch.float64, torch.float16, torch.int64, torch.int32, torch.int16, torch.int8)
ALL = (*NUMBERS, torch.uint8, torch.bool)
X, Y, M = floats(2, 3), floats(2, 3, seed=1), bools(2, 3)


def where(x: torch.Tensor, y: object, mask: torch.Tensor) -> torch.Tensor:
    result: torch.Tensor = torch.where(mask, x, y)  # type: ignore[call-overload]  # any operand
    return result


CASES = [
    OpCase("where.self", where, (X, Y, M), dtypes=ALL, extremes=True),
    OpCase("where.self broadcast", where, (floats(2, 1), floats(3), bools(5, 1, 1))),
    OpCase("where.self 0-d", where, (X, floats(), torch.tensor(False))),
    OpCase("where.self mixed dtypes", where, (X, ints(0, 9, 2, 3), M)),
    OpCase("where.self mixed integers", where, (ints(0, 9, 2, 3).int(), ints(0, 9, 2, 3).to(torch.uint8), M)),
    OpCase("where.self weak 0-d", where, (X.half(), torch.tensor(2.5), M)),
    OpCase("where.self weak 0-d integer", where, (ints(0, 9, 2, 3), torch.tensor(2.5), M)),
    OpCase("where.self empty", where, (X[:0], Y[:0], M[:0]), dynamic=None),
    OpCase("where.ScalarOther", where, (X, 2.5, M), dtypes=NUMBERS),
    OpCase("where.ScalarOther integer", where, (X, 3, M), dtypes=ALL),
    OpCase("where.ScalarOther infinity", where, (X, -math.inf, M), dtypes=NUMBERS[:3]),
    OpCase("where.ScalarSelf", lambda y, m: torch.where(m, 2.5, y), (Y, M), dtypes=NUMBERS),
    OpCase("where.ScalarSelf bool", lambda y, m: torch.where(m, True, y), (Y, M), dtypes=ALL),
    OpCase("where.Scalar", lambda m: torch.where(m, 2.5, 1), (M,)),
    OpCase("where.Scalar integers", lambda m: torch.where(m, 2, -1), (M,)),
    OpCase("where.Scalar bools", lambda m: torch.where(m, False, True), (M,)),
    OpCase("where", torch.where, (bools(2, 3, 5),)),
    OpCase("where numbers", torch.where, (ints(-1, 2, 5, 7),), dtypes=ALL),
    OpCase("where nothing", torch.where, (bools(2, 3) & False,)),
    OpCase("masked_fill.Scalar", lambda x, m: x.masked_fill(m, 3), (X, M), dtypes=ALL),
    OpCase("masked_fill.Scalar float", lambda x, m: x.masked_fill(m, -math.inf), (X, M), dtypes=NUMBERS[:3]),
    OpCase("masked_fill.Scalar smallest", lambda x, m: x.masked_fill(m, torch.finfo(x.dtype).min), (X, M)),
    OpCase("masked_fill.Scalar broadcast mask", lambda x, m: x.masked_fill(m, 1.5), (X, bools(3))),
    OpCase("masked_fill.Scalar broadcast self", lambda x, m: x.masked_fill(m, 1.5), (X, bools(5, 2, 3))),
    OpCase("masked_fill.Scalar 0-d", lambda x, m: x.masked_fill(m, 1.5), (floats(), torch.tensor(True))),
    OpCase("masked_fill.Scalar float to integer", lambda x, m: x.masked_fill(m, 2.0), (ints(0, 9, 2, 3), M)),
    OpCase("masked_fill.Tensor", lambda x, m, v: x.masked_fill(m, v), (X, M, floats()), dtypes=ALL),
    OpCase("masked_fill.Tensor other dtype", lambda x, m, v: x.masked_fill(m, v), (X, M, torch.tensor(3))),
]
