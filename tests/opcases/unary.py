"""Functions of one tensor, element by element."""

from __future__ import annotations

from collections.abc import Callable

import torch

from opcases._case import OpCase, floats

__all__ = ["CASES"]

FLOATS = (torch.float32, torch.float64, torch.float16)
SIGNED = (torch.int8, torch.int16, torch.int32, torch.int64)
X = floats(2, 3, 5) * 3


def elementwise(name: str, function: Callable[..., object], *dtypes: torch.dtype) -> OpCase:
    """A row over all of ``dtypes``, with the numbers that break formulas."""
    return OpCase(name, function, (X,), extremes=True, dtypes=dtypes or FLOATS)


CASES = [
    elementwise("abs", torch.abs, *FLOATS, *SIGNED, torch.uint8),
    elementwise("absolute", torch.absolute, torch.float32),
    elementwise("neg", torch.neg, *FLOATS, *SIGNED, torch.uint8),
    elementwise("negative", torch.negative, torch.float32),
    elementwise("positive", torch.positive, torch.float32),
    elementwise("exp", torch.exp, *FLOATS, torch.int64, torch.bool),
    elementwise("exp2", torch.exp2, *FLOATS, torch.int32),
    elementwise("expm1", torch.expm1, *FLOATS, torch.int32),
    OpCase("expm1 tiny", torch.expm1, (floats(7) * 1e-3,), dtypes=(torch.float32, torch.float64)),
    elementwise("log", torch.log, *FLOATS, torch.int64),
    elementwise("log2", torch.log2),
    elementwise("log10", torch.log10),
    elementwise("log1p", torch.log1p, *FLOATS, torch.int32),
    OpCase("log1p tiny", torch.log1p, (floats(7) * 1e-3,), dtypes=(torch.float32, torch.float64)),
    elementwise("sqrt", torch.sqrt, *FLOATS, torch.int64),
    elementwise("rsqrt", torch.rsqrt, *FLOATS, torch.int64),
    elementwise("reciprocal", torch.reciprocal, *FLOATS, torch.int32),
    elementwise("square", torch.square, torch.float32, torch.int64, torch.int8, torch.bool),
    elementwise("deg2rad", torch.deg2rad, torch.float32, torch.int64),
    elementwise("rad2deg", torch.rad2deg, torch.float32, torch.int64),
    elementwise("tanh", torch.tanh, *FLOATS, torch.int64),
    elementwise("sigmoid", torch.sigmoid, *FLOATS, torch.int64, torch.bool),
    elementwise("special_expit", torch.special.expit, torch.float32),
    elementwise("erf", torch.erf, torch.float32, torch.float16, torch.int64),
    elementwise("erfc", torch.erfc, torch.float32, torch.float16),
    elementwise("floor", torch.floor, *FLOATS, torch.int32),
    elementwise("ceil", torch.ceil, *FLOATS, torch.int32),
    elementwise("trunc", torch.trunc, *FLOATS, torch.int32),
    elementwise("fix", torch.fix, torch.float32),
    elementwise("frac", torch.frac),
    elementwise("round", torch.round, *FLOATS, torch.int32),
    OpCase("round halves", torch.round, (torch.tensor([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5]),)),
    OpCase("round.decimals 2", lambda x: torch.round(x, decimals=2), (X * 10,)),
    OpCase("round.decimals -1", lambda x: torch.round(x, decimals=-1), (X * 100,), dtypes=(torch.float64,)),
    OpCase("round.decimals 0", lambda x: torch.round(x, decimals=0), (X,)),
    elementwise("sign", torch.sign, *FLOATS, *SIGNED, torch.uint8, torch.bool),
    elementwise("sgn", torch.sgn, torch.float32),
    elementwise("isnan", torch.isnan, *FLOATS, torch.int64, torch.bool),
    elementwise("isinf", torch.isinf, *FLOATS, torch.int64, torch.bool),
    elementwise("isfinite", torch.isfinite, torch.float32, torch.float64),
    elementwise("nan_to_num", torch.nan_to_num, *FLOATS, torch.int64),
    OpCase("nan_to_num given", lambda x: torch.nan_to_num(x, 1.5, 7.0, -9.0), (X,), extremes=True),
    elementwise("logical_not", torch.logical_not, *FLOATS, torch.int64, torch.int8, torch.uint8, torch.bool),
    OpCase("exp 0-d", torch.exp, (floats(),)),
    OpCase("neg static", torch.neg, (floats(2, 3),), dynamic=None),
    OpCase("neg empty", torch.neg, (floats(0, 3),), dynamic=[[1]], resized=[{3: 5}]),
]
