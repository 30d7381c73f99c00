"""Reductions."""

from __future__ import annotations

import torch

from opcases._case import OpCase, bools, floats, ints

__all__ = ["CASES"]

FLOATS = (torch.float32, torch.float64, torch.float16)
INTS = (torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8)
X = floats(2, 3, 5)
M = ints(-9, 10, 2, 3, 5)
NAN = torch.where(floats(2, 3, 5) > 0.7, torch.nan, floats(2, 3, 5, seed=1))
TIES = ints(0, 3, 2, 7)
EMPTY = floats(2, 0, 3)
SPARSE = floats(2, 3, 5).round()
INFINITE = [[0.0, torch.inf], [-torch.inf, -torch.inf], [-torch.inf, 1.0], [torch.inf, -torch.inf]]

CASES = [
    OpCase("sum", torch.sum, (X,), dtypes=FLOATS),
    OpCase("sum int", torch.sum, (M,), dtypes=(*INTS, torch.bool)),
    OpCase(
        "sum dtype", lambda x: torch.sum(x, dtype=torch.float64), (X,), dtypes=(torch.float32, torch.int32)
    ),
    OpCase("sum 0-d", torch.sum, (floats(),)),
    OpCase("sum empty", torch.sum, (EMPTY,), dynamic=None),
    OpCase("sum.dim_IntList", lambda x: x.sum(1), (X,), dtypes=(*FLOATS, *INTS, torch.bool)),
    OpCase("sum.dim_IntList keepdim", lambda x: x.sum((-1, 0), keepdim=True), (X,)),
    OpCase("sum.dim_IntList all", lambda x: x.sum(()), (X,)),
    OpCase("sum.dim_IntList none", lambda x: x.sum(None, keepdim=True), (X,)),
    OpCase("sum.dim_IntList large", lambda x: x.sum(1), (M + 2**60,)).xfail(
        "ONNX Runtime adds integers up in double, which holds them up to 2**53"
    ),
    OpCase("sum.dim_IntList dtype", lambda x: x.sum(1, dtype=torch.int32), (M,)),
    OpCase("sum.dim_IntList to bool", lambda x: x.sum(1, dtype=torch.bool), (M,), only="onnx-torchlib"),
    OpCase("sum.dim_IntList 0-d", lambda x: x.sum(-1), (floats(),)),
    OpCase("sum.dim_IntList empty", lambda x: x.sum(1), (EMPTY,), dynamic=[[0, 2]]),
    OpCase("mean", torch.mean, (X,), dtypes=FLOATS),
    OpCase("mean dtype", lambda x: torch.mean(x, dtype=torch.float64), (M,)),
    OpCase("mean.dim", lambda x: x.mean(1), (X,), dtypes=FLOATS),
    OpCase("mean.dim keepdim", lambda x: x.mean((0, -1), keepdim=True), (X,)),
    OpCase("mean.dim all", lambda x: x.mean(()), (X,)),
    OpCase("mean.dim empty", lambda x: x.mean(1), (EMPTY,), dynamic=None),
    OpCase(
        "mean.dim perhaps empty",
        lambda x: x.mean((0, 2)),
        (X,),
        dynamic=[[0]],
        from_zero=True,
        resized=[{2: 0}, {2: 7}],
        dtypes=(torch.float32, torch.float16),
    ),
    OpCase("mean.dim 0-d", lambda x: x.mean(0), (floats(),)),
    OpCase("prod", torch.prod, (X,), dtypes=FLOATS),
    OpCase("prod.dim_int", lambda x: torch.prod(x, 1), (X,), dtypes=(torch.float32, torch.float64)),
    OpCase(
        "prod.dim_int int",
        lambda x: torch.prod(x, -1, keepdim=True),
        (M,),
        resized=[{2: 7, 3: 2, 5: 3}, {2: 1, 3: 1, 5: 1}],
        dtypes=(*INTS, torch.bool),
    ),
    OpCase("prod.dim_int large", lambda x: torch.prod(x, 1), (M + 2**33,)).xfail(
        "ONNX Runtime multiplies integers in double, and saturates where torch wraps around"
    ),
    OpCase("prod empty", torch.prod, (EMPTY,), dynamic=None),
    OpCase("amax", lambda x: torch.amax(x, 1), (X,), dtypes=(*FLOATS, *INTS, torch.bool)),
    OpCase("amax dims", lambda x: torch.amax(x, (0, 2), keepdim=True), (X,)),
    OpCase("amax all", torch.amax, (X,)),
    OpCase("amax NaN", lambda x: torch.amax(x, 1), (NAN,), dtypes=FLOATS),
    OpCase("amax infinite", lambda x: torch.amax(x, 1), (X.log(),)),
    OpCase("amax 0-d", lambda x: torch.amax(x, 0), (floats(),)),
    OpCase("amin", lambda x: torch.amin(x, 1), (X,), dtypes=(*FLOATS, *INTS, torch.bool)),
    OpCase("amin NaN", lambda x: torch.amin(x, 1), (NAN,)),
    OpCase("max", torch.max, (M,), dtypes=(*FLOATS, *INTS, torch.bool)),
    OpCase("max NaN", torch.max, (NAN,)),
    OpCase("min", torch.min, (M,), dtypes=(torch.float32, torch.int64, torch.bool)),
    OpCase("max.dim", lambda x: torch.max(x, 1), (TIES,), dtypes=(*FLOATS, *INTS, torch.bool)),
    OpCase("max.dim keepdim", lambda x: torch.max(x, -1, keepdim=True), (X,)),
    OpCase("max.dim NaN", lambda x: torch.max(x, 1), (NAN,), dtypes=(torch.float32, torch.float64)),
    OpCase("max.dim 0-d", lambda x: torch.max(x, 0), (floats(),)),
    OpCase("min.dim", lambda x: torch.min(x, 1), (TIES,), dtypes=(torch.float32, torch.int64, torch.bool)),
    OpCase("min.dim NaN", lambda x: torch.min(x, 1), (NAN,)),
    OpCase("argmax", torch.argmax, (TIES,), dtypes=(*FLOATS, *INTS)),
    OpCase("argmax dim", lambda x: torch.argmax(x, 1), (TIES,), dtypes=(*FLOATS, *INTS)),
    OpCase("argmax keepdim", lambda x: torch.argmax(x, -1, keepdim=True), (X,)),
    OpCase("argmax all keepdim", lambda x: torch.argmax(x, keepdim=True), (X,)),
    OpCase("argmax NaN", lambda x: torch.argmax(x, 1), (NAN,)),
    OpCase("argmax 0-d", lambda x: torch.argmax(x, 0), (floats(),)),
    OpCase("argmin", torch.argmin, (TIES,), dtypes=(torch.float32, torch.int64)),
    OpCase("argmin dim", lambda x: torch.argmin(x, 1), (NAN,)),
    OpCase("any", torch.any, (SPARSE,), dtypes=(*FLOATS, torch.int64, torch.uint8, torch.bool)),
    OpCase("any.dim", lambda x: torch.any(x, 1), (SPARSE,), dtypes=(torch.float32, torch.uint8, torch.bool)),
    OpCase("any.dim NaN", lambda x: torch.any(x, 1, keepdim=True), (NAN,)),
    OpCase("any.dim empty", lambda x: torch.any(x, 1), (EMPTY,), dynamic=None),
    OpCase("any.dims", lambda x: torch.any(x, (0, 2)), (SPARSE,)),
    OpCase("any.dims none", lambda x: torch.ops.aten.any.dims(x), (SPARSE,)),
    OpCase("any.dims empty list", lambda x: torch.any(x, ()), (SPARSE,)),
    OpCase("any 0-d", torch.any, (floats(),)),
    OpCase("all", torch.all, (SPARSE + 1,), dtypes=(*FLOATS, torch.int64, torch.uint8, torch.bool)),
    OpCase("all.dim", lambda x: torch.all(x, 1), (SPARSE,), dtypes=(torch.float32, torch.uint8, torch.bool)),
    OpCase("all.dim empty", lambda x: torch.all(x, 1), (EMPTY,), dynamic=None),
    OpCase("all.dims", lambda x: torch.all(x, (0, 2), keepdim=True), (SPARSE,)),
    OpCase("all.dims empty list", lambda x: torch.all(x, ()), (SPARSE,)),
    OpCase("all true", torch.all, (bools(2, 3) | True,)),
    OpCase("count_nonzero", torch.count_nonzero, (SPARSE,), dtypes=(torch.float32, torch.int64, torch.bool)),
    OpCase("count_nonzero.dim_IntList", lambda x: torch.count_nonzero(x, (0, 1)), (SPARSE,)),
    OpCase("logsumexp", lambda x: torch.logsumexp(x, 1), (X * 50,), dtypes=(torch.float32, torch.float64)),
    OpCase("logsumexp far", lambda x: torch.logsumexp(x, 1), (X * 900,), dtypes=FLOATS),
    OpCase("logsumexp extremes", lambda x: torch.logsumexp(x, (0, 1), keepdim=True), (X,), extremes=True),
    OpCase("logsumexp keepdim", lambda x: torch.logsumexp(x, (0, -1), keepdim=True), (X,)),
    OpCase("logsumexp int", lambda x: torch.logsumexp(x, 1), (M,)),
    OpCase("logsumexp infinite", lambda x: torch.logsumexp(x, 1), (torch.tensor(INFINITE),), dynamic=None),
    OpCase("aminmax", torch.aminmax, (floats(3, 17),), extremes=True),
    OpCase("aminmax axis", lambda x: torch.aminmax(x, dim=1, keepdim=True), (ints(-9, 9, 3, 5),)),
    OpCase("aminmax 0-d", lambda x: torch.aminmax(x, dim=0), (floats(),)),
]
