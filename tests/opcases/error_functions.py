"""The error function's relatives, and the normal distribution."""

from __future__ import annotations

import torch

from opcases._case import TORCHLIB, OpCase, floats, ints

__all__ = ["CASES"]

FLOATS = (torch.float32, torch.float64, torch.float16)
special = torch.special

X = torch.cat([floats(2, 13), torch.linspace(-13, 13, 26).reshape(2, 13)], 1)
PARTS = torch.cat([torch.rand(3, 7), torch.logspace(-37, -1, 42).reshape(3, 14)], 1)

CASES = [
    OpCase("erfc", torch.erfc, (X,), extremes=True, dtypes=FLOATS, only=TORCHLIB),
    OpCase("erfc int", torch.erfc, (ints(-3, 9, 2, 7),)),
    OpCase("special_erfc", torch.ops.aten.special_erfc, (X,)),
    # Differences where hardly anything is left of 1.
    OpCase("erfc far", lambda x: torch.log(torch.erfc(x)), (X.abs(),), dtypes=FLOATS[1:2], only=TORCHLIB),
    OpCase("special_erfcx", special.erfcx, (X / 4,), extremes=True, dtypes=FLOATS[:2]),
    OpCase("special_erfcx int", special.erfcx, (ints(-3, 9, 2, 7),)),
    OpCase("erfinv", torch.erfinv, (X.tanh(),), extremes=True, dtypes=FLOATS),
    OpCase("erfinv near 1", torch.erfinv, (1 - PARTS,), dtypes=FLOATS[:2]),
    OpCase("erfinv int", torch.erfinv, (ints(-2, 2, 2, 7),)),
    OpCase("special_erfinv", torch.ops.aten.special_erfinv, (X.tanh(),)),
    OpCase("special_ndtri", special.ndtri, (PARTS,), extremes=True, dtypes=FLOATS[:2]),
    OpCase("special_ndtri int", special.ndtri, (ints(-2, 3, 2, 7),)),
    OpCase("special_ndtr", special.ndtr, (X,), extremes=True, dtypes=FLOATS[:2]),
    OpCase("special_ndtr int", special.ndtr, (ints(-9, 9, 2, 7),)),
    OpCase("special_log_ndtr", special.log_ndtr, (X,), extremes=True, dtypes=FLOATS[:2]),
    OpCase("special_log_ndtr int", special.log_ndtr, (ints(-9, 9, 2, 7),)),
]
