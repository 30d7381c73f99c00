"""Values held between bounds."""

from __future__ import annotations

import torch

from opcases._case import OpCase, floats, ints

__all__ = ["CASES"]

FLOATS = (torch.float32, torch.float64, torch.float16)
INTS = (torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8)
X, Y = floats(2, 3, 5) * 3, floats(3, 5, seed=1)
M = ints(-9, 10, 2, 3)

CASES = [
    OpCase("clamp", lambda x: torch.clamp(x, -1, 2), (X,), extremes=True, dtypes=(*FLOATS, *INTS[:4])),
    OpCase("clamp min", lambda x: torch.clamp(x, min=0.5), (X,), extremes=True, dtypes=(*FLOATS, *INTS)),
    OpCase("clamp max", lambda x: torch.clamp(x, max=2), (X,), extremes=True, dtypes=(*FLOATS, *INTS)),
    OpCase("clamp crossed", lambda x: torch.clamp(x, 2, -1), (X,), dtypes=(torch.float32, torch.int64)),
    OpCase("clamp sizes", lambda x: torch.clamp(x, 0, x.shape[1] - 1), (M,)),
    OpCase("clamp infinite", lambda x: torch.clamp(x, -torch.inf, 1), (X,), extremes=True),
    OpCase("clip", lambda x: torch.clip(x, -1, 2), (X,)),
    OpCase(
        "clamp_min", lambda x: torch.clamp_min(x, 0.5), (X,), extremes=True, dtypes=(*FLOATS, torch.int64)
    ),
    OpCase("clamp_max", lambda x: torch.clamp_max(x, 1), (X,), extremes=True, dtypes=(*FLOATS, torch.int64)),
    OpCase("clamp.Tensor", torch.clamp, (X, Y, Y + 0.5), extremes=True, dtypes=FLOATS),
    OpCase("clamp.Tensor min", torch.clamp, (X, Y), dtypes=(torch.float32, torch.int32)),
    OpCase("clamp.Tensor max", lambda x, y: torch.clamp(x, max=y), (X, Y)),
    OpCase("clamp.Tensor mixed", torch.clamp, (M, floats(2, 3), torch.tensor(3.5, dtype=torch.double))),
    OpCase("clamp_min.Tensor", torch.clamp_min, (X, Y)),
    OpCase("clamp_max.Tensor", torch.clamp_max, (X, Y)),
]
