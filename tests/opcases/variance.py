"""Variance, standard deviation and covariance."""

from __future__ import annotations

import torch

from opcases._case import OpCase, floats, ints

__all__ = ["CASES"]

X = floats(2, 3, 5) + 3
TABLE, WEIGHTS = floats(3, 7) * 5, floats(7).abs()
# One variable has a number, no matrix: the reruns keep several.
SEVERAL = [{3: 5, 7: 11}]
DTYPES = (torch.float32, torch.float64)
# A single element has no unbiased variance: NaN, which the reruns at size 1 compare.

CASES = [
    OpCase("var", torch.var, (X,), {"unbiased": False}, dtypes=DTYPES),
    OpCase("var.dim", lambda x: torch.var(x, (1,), unbiased=True), (X,), dtypes=DTYPES),
    OpCase("var.dim default", lambda x: torch.var(x, 1), (X,), dtypes=DTYPES),
    OpCase("var.correction all", lambda x: torch.var(x, correction=0), (X,)),
    OpCase("var.correction 2", lambda x: torch.var(x, (0, -1), correction=2, keepdim=True), (X,)),
    OpCase("var.correction static", lambda x: torch.var(x, -1, correction=0.5), (X,), dynamic=None),
    OpCase("std", torch.std, (X,), {"unbiased": True}),
    OpCase("std.dim", lambda x: torch.std(x, (1,), unbiased=False), (X,)),
    OpCase("std.dim keepdim", lambda x: torch.std(x, -1, keepdim=True), (X,), dtypes=DTYPES),
    OpCase("var_mean.dim", lambda x: torch.var_mean(x, 1), (X,), dtypes=DTYPES),
    OpCase("var_mean", torch.var_mean, (X,), {"unbiased": True}),
    OpCase("std_mean", torch.std_mean, (X,), {"unbiased": False}),
    OpCase(
        "var_mean.correction keepdim", lambda x: torch.var_mean(x, (0, 1), keepdim=True, correction=0), (X,)
    ),
    OpCase(
        "var_mean.dim perhaps empty",
        lambda x: torch.var_mean(x, 0),
        (X,),
        dynamic=[[0]],
        from_zero=True,
        resized=[{2: 0}, {2: 1}],
    ),
    OpCase("std_mean.dim", lambda x: torch.std_mean(x, 1), (X,)),
    OpCase("std_mean.correction", lambda x: torch.std_mean(x, 1, correction=2), (X,)),
    OpCase("std.correction", lambda x: torch.std(x, 1, correction=0), (X,)),
    OpCase("cov", torch.cov, (TABLE,), dtypes=(torch.float32, torch.float64, torch.int64), resized=SEVERAL),
    OpCase("cov vector", lambda x: torch.cov(x, correction=0), (TABLE[0],)),
    OpCase("cov number", lambda x: torch.cov(x, correction=0), (TABLE[0, 0],)),
    OpCase("cov one row", torch.cov, (TABLE[:1],)),
    OpCase("cov correction", lambda x: torch.cov(x, correction=9), (TABLE,), resized=SEVERAL),
    OpCase("cov frequencies", lambda x, w: torch.cov(x, fweights=w), (TABLE, ints(1, 5, 7)), resized=SEVERAL),
    OpCase("cov importance", lambda x, w: torch.cov(x, aweights=w), (TABLE, WEIGHTS), resized=SEVERAL),
    OpCase(
        "cov both weights",
        lambda x, n, w: torch.cov(x, correction=2, fweights=n, aweights=w),
        (TABLE, ints(1, 5, 7), WEIGHTS),
        resized=SEVERAL,
    ),
    OpCase(
        "corrcoef",
        torch.corrcoef,
        (TABLE,),
        dtypes=(torch.float32, torch.float64, torch.int64),
        resized=SEVERAL,
    ),
    OpCase("corrcoef vector", torch.corrcoef, (TABLE[0],)),
    OpCase(
        "corrcoef constant row",
        torch.corrcoef,
        (TABLE * torch.tensor([[1.0], [0.0], [1.0]]),),
        resized=SEVERAL,
    ),
]
