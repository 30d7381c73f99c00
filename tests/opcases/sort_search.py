"""Sorted elements, and places by order."""

from __future__ import annotations

import math

import torch

from opcases._case import OpCase, bools, floats, ints

__all__ = ["CASES"]

ALL = (torch.float32, torch.float64, torch.float16, torch.int64, torch.int32, torch.uint8)
NARROW = (torch.float32, torch.float16, torch.int32, torch.uint8)
WIDE = (torch.float64, torch.int64)
"""Before opset 11 no TopK orders these from the smallest on."""
X = floats(5, 7, 11)
# Distinct, so that torch has one answer without a promise of stability.
ORDER = torch.randperm(5 * 7 * 11, generator=torch.Generator().manual_seed(0)).reshape(5, 7, 11) - 99
EQUAL = ints(-2, 3, 5, 37)
LARGE = [{5: 13, 7: 17, 11: 19}]
SPECIAL = torch.tensor([1.0, math.nan, -math.inf, 0.5, math.inf, -3.0, math.nan])
NAN = torch.stack([SPECIAL, SPECIAL.flip(0), torch.arange(7.0), torch.full((7,), math.nan)])
DISTINCT = torch.tensor([[math.inf, math.nan, -0.5, 3.4028234e38, -math.inf, 1e-45, -3.4028234e38]])
STEPS = torch.tensor([-1.0, 0.0, 0.0, 0.5, 2.0])
aten = torch.ops.aten


def found(
    sequence: torch.Tensor, values: torch.Tensor, right: bool = False, out_int32: bool = False
) -> torch.Tensor:
    """In a sequence that is sorted in every shape."""
    return torch.searchsorted(sequence.sort()[0], values, right=right, out_int32=out_int32)


CASES = [
    OpCase("topk", torch.topk, (ORDER.float(), 3), resized=LARGE, dtypes=(*NARROW[:3], torch.float64)),
    OpCase("topk of int64", torch.topk, (ORDER, 3), resized=LARGE, since=11),
    OpCase(
        "topk smallest of floats", torch.topk, (ORDER.float(), 3, 1, False), resized=LARGE, dtypes=NARROW[:3]
    ),
    OpCase("topk smallest undefined", lambda x: x.topk(7, largest=False), (DISTINCT,), dynamic=None),
    OpCase("topk smallest", torch.topk, (ORDER, 3, 1, False), resized=LARGE, since=11),
    OpCase("topk unsorted", lambda x: x.topk(3, sorted=False)[0].sum(-1), (ORDER,), resized=LARGE, since=11),
    OpCase("topk all", lambda x: x.topk(x.shape[0], 0), (ORDER,), since=11),
    OpCase("topk none", torch.topk, (X, 0)),
    OpCase("topk 0-d", torch.topk, (floats(), 1)),
    OpCase("topk undefined", lambda x: x.topk(3)[0], (NAN,), dynamic=None),
    OpCase("sort", torch.sort, (ORDER,), since=11),
    OpCase("sort descending", torch.sort, (ORDER.float(), 1, True), since=10),
    OpCase("sort 0-d", torch.sort, (floats(),)),
    OpCase("sort nothing", torch.sort, (X[:, :0], 1), dynamic=None),
    OpCase(
        "sort.stable", torch.sort, (EQUAL.float(),), {"stable": True}, extremes=True, dtypes=NARROW, since=10
    ),
    OpCase(
        "sort.stable", torch.sort, (EQUAL.float(),), {"stable": True}, extremes=True, dtypes=WIDE, since=11
    ),
    OpCase("sort.stable bool", torch.sort, (bools(5, 37),), {"stable": True, "dim": 0}, since=10),
    OpCase(
        "sort.stable descending",
        torch.sort,
        (EQUAL.float(),),
        {"stable": True, "descending": True},
        extremes=True,
        since=10,
    ),
    OpCase("argsort", torch.argsort, (ORDER, 1), since=11),
    OpCase(
        "argsort.stable", torch.argsort, (EQUAL,), {"stable": True, "dim": 0, "descending": True}, since=11
    ),
    OpCase("msort", torch.msort, (X,), since=10),
    OpCase("kthvalue", torch.kthvalue, (ORDER, 3, 1), resized=LARGE, since=11),
    OpCase("kthvalue keepdim", torch.kthvalue, (ORDER.float(), 5, -1, True), resized=LARGE),
    OpCase("kthvalue 0-d", torch.kthvalue, (floats(), 1)),
    OpCase("kthvalue undefined", lambda x: x.kthvalue(6)[0], (NAN,), dynamic=None),
    OpCase("median.dim", torch.median, (ORDER.float(), 1), since=10),
    OpCase("median.dim int64", torch.median, (ORDER, 1), since=11),
    OpCase("median.dim keepdim", torch.median, (ORDER[..., :10].double(), -1, True), since=11),
    OpCase("median.dim undefined", torch.median, (NAN, 1), dynamic=None),
    OpCase("median.dim 0-d", torch.median, (floats(), 0)),
    OpCase("median", torch.median, (X,), extremes=True, dtypes=(torch.float32, torch.float16), since=10),
    OpCase("median int32", torch.median, ((X * 9).int(),), extremes=True, since=10),
    OpCase("nanmedian.dim", torch.nanmedian, (NAN[:3], 1), dynamic=None),
    OpCase("nanmedian.dim values", lambda x: x.nanmedian(1, True)[0], (NAN,), dynamic=None),
    OpCase("nanmedian", torch.nanmedian, (X,), extremes=True, since=10),
    OpCase("mode", lambda x: x.mode(1)[0], (EQUAL.float(),), dtypes=NARROW, since=10),
    OpCase("mode wide", lambda x: x.mode(1)[0], (EQUAL.float(),), dtypes=WIDE, since=11),
    OpCase(
        "mode index",
        lambda x, rows: torch.where(rows == x.mode(0, True)[1], x, 0).sum(0),
        (EQUAL, torch.arange(5)[:, None]),
        dynamic=[[1], []],
        since=11,
    ),
    OpCase("mode 0-d", torch.mode, (floats(),)),
    OpCase("nonzero", torch.nonzero, (EQUAL.float(),), extremes=True, dtypes=(*ALL, torch.bool)),
    OpCase("nonzero of none", torch.nonzero, (X * 0,)),
    OpCase("nonzero 0-d", torch.nonzero, (torch.tensor(2.0),)),
    OpCase("nonzero 0-d of none", torch.nonzero, (torch.tensor(False),)),
    OpCase("argwhere", torch.argwhere, (EQUAL,)),
    OpCase("nonzero_numpy", aten.nonzero_numpy, (EQUAL,)),
    OpCase("searchsorted.Tensor", torch.searchsorted, (STEPS, X), dtypes=ALL[:4]),
    OpCase("searchsorted.Tensor equal", found, (EQUAL, ints(-3, 4, 5, 11)), since=11),
    OpCase(
        "searchsorted.Tensor right",
        found,
        (EQUAL, ints(-3, 4, 5, 11)),
        {"right": True, "out_int32": True},
        since=11,
    ),
    OpCase("searchsorted.Tensor side", torch.searchsorted, (STEPS, NAN), {"side": "right"}, dynamic=None),
    OpCase("searchsorted.Tensor undefined", torch.searchsorted, (STEPS, NAN), dynamic=None),
    OpCase("searchsorted.Tensor 0-d", torch.searchsorted, (STEPS, torch.tensor(0.0)), dynamic=[[0], []]),
    OpCase(
        "searchsorted.Tensor sorter",
        lambda x, v: torch.searchsorted(x, v, sorter=x.argsort()),
        (EQUAL, ints(-3, 4, 5, 11)),
        since=11,
    ),
    OpCase("searchsorted.Scalar", torch.searchsorted, (STEPS, 0), {"right": True}),
    OpCase("searchsorted.Scalar of ints", torch.searchsorted, (torch.tensor([1, 2, 5]), 2)),
    OpCase("bucketize.Tensor", torch.bucketize, (X, STEPS)),
    OpCase(
        "bucketize.Tensor right", torch.bucketize, (EQUAL.float(), STEPS), {"right": True, "out_int32": True}
    ),
    OpCase("bucketize.Tensor no boundaries", torch.bucketize, (X, STEPS[:0]), dynamic=None),
    OpCase("bucketize.Scalar", torch.bucketize, (0.5, STEPS), {"right": True}),
    OpCase("nonzero_static", lambda x: torch.nonzero_static(x, size=11), (bools(3, 5),)),
    OpCase(
        "nonzero_static cut", lambda x: torch.nonzero_static(x, size=2, fill_value=7), (ints(0, 3, 3, 5, 2),)
    ),
    OpCase("nonzero_static number", lambda x: torch.nonzero_static(x, size=2), (torch.tensor(3),)),
]
