"""Elements without their repetitions, and how often they occur."""

from __future__ import annotations

import math

import torch

from opcases._case import OpCase, floats, ints

__all__ = ["CASES"]

ALL = (torch.float32, torch.float64, torch.float16, torch.int64, torch.int32, torch.uint8, torch.bool)
X = ints(-3, 4, 5, 11)
PAIRS = ints(0, 2, 11, 2)
SPECIAL = torch.tensor([[1.0, math.nan, -math.inf, 1.0], [math.inf, 1.0, -math.inf, math.nan]])
BOTH = {"return_inverse": True, "return_counts": True}

CASES = [
    OpCase("_unique2", torch.unique, (X.float(),), BOTH, dtypes=ALL),
    OpCase("_unique2 values", torch.unique, (X.float(),)),
    OpCase("_unique2 unsorted", torch.unique, (X,), {"sorted": False, "return_counts": True}),
    OpCase("_unique2 undefined", torch.unique, (SPECIAL,), {"return_counts": True}, dynamic=None),
    OpCase("_unique2 of nothing", torch.unique, (floats(0, 2),), BOTH, dynamic=None),
    OpCase("_unique2 0-d", torch.unique, (torch.tensor(2.0),), BOTH),
    OpCase(
        "unique_dim",
        torch.unique,
        (PAIRS,),
        {"dim": 0, **BOTH},
        dtypes=(torch.int64, torch.int32, torch.bool),
    ),
    OpCase("unique_dim last axis", torch.unique, (PAIRS.float().T,), {"dim": -1, **BOTH}),
    OpCase("unique_consecutive", torch.unique_consecutive, (X.float(),), BOTH, dtypes=ALL),
    OpCase("unique_consecutive undefined", torch.unique_consecutive, (SPECIAL,), BOTH, dynamic=None),
    OpCase("unique_consecutive of nothing", torch.unique_consecutive, (floats(0),), BOTH, dynamic=None),
    OpCase("unique_consecutive axis", torch.unique_consecutive, (PAIRS,), {"dim": 0, **BOTH}),
    OpCase(
        "unique_consecutive values of last axis", torch.unique_consecutive, (PAIRS.T.float(),), {"dim": 1}
    ),
    OpCase("isin.Tensor_Tensor", torch.isin, (X.float(), torch.tensor([[1.0, -2.0, 9.0]])), dtypes=ALL[:5]),
    OpCase("isin.Tensor_Tensor invert", torch.isin, (X, torch.tensor([1.0, -2.5])), {"invert": True}),
    OpCase("isin.Tensor_Tensor none", torch.isin, (X, X[:0]), dynamic=None),
    OpCase("isin.Tensor_Tensor 0-d", torch.isin, (torch.tensor(2), X)),
    OpCase("isin.Tensor_Scalar", torch.isin, (X, 2), {"invert": True}),
    OpCase("isin.Scalar_Tensor", torch.isin, (2.0, X)),
    OpCase("bincount", torch.bincount, (X.flatten().abs(),), dtypes=(torch.int64, torch.int32, torch.uint8)),
    OpCase("bincount at least", torch.bincount, (X.flatten().abs(),), {"minlength": 7}),
    OpCase("bincount weights", torch.bincount, (PAIRS[:, 0], floats(11)), {"minlength": 1}),
    OpCase("bincount of nothing", torch.bincount, (X.flatten()[:0],), {"minlength": 3}, dynamic=None),
    OpCase("histc", torch.histc, (floats(997),), {"bins": 13, "min": -2, "max": 1.5}, dtypes=ALL[:2]),
    OpCase("histc edges", torch.histc, (torch.arange(997) / 41,), {"bins": 41, "min": 0, "max": 23}),
    OpCase("histc extremes", torch.histc, (floats(37),), {"bins": 7, "min": -3, "max": 5}, extremes=True),
    OpCase("histc of its range", torch.histc, (floats(7, 11) * 3, 5)),
    OpCase("histc of one value", torch.histc, (torch.full((7,), 2.5), 3)),
]
