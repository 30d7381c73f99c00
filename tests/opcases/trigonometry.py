"""Trigonometric and hyperbolic functions."""

from __future__ import annotations

import torch

from opcases._case import OpCase, floats, ints

__all__ = ["CASES"]

X = floats(2, 3, 5) * 3
UNIT = torch.tanh(X)
QUADRANTS = torch.tensor([0.0, -0.0, 1.0, -1.0, torch.inf, -torch.inf, torch.nan])

CASES = [
    OpCase("sin", torch.sin, (X,), dtypes=(torch.float32, torch.float64, torch.float16, torch.int64)),
    OpCase("cos", torch.cos, (X,), dtypes=(torch.float32, torch.float64, torch.float16, torch.int64)),
    OpCase("tan", torch.tan, (X,), dtypes=(torch.float32, torch.float64, torch.int64)),
    OpCase("asin", torch.asin, (UNIT,), extremes=True, dtypes=(torch.float32, torch.int64)),
    OpCase("acos", torch.acos, (UNIT,), extremes=True, dtypes=(torch.float32, torch.int64)),
    OpCase("atan", torch.atan, (X,), extremes=True, dtypes=(torch.float32, torch.int64)),
    OpCase("sinh", torch.sinh, (X,), extremes=True),
    OpCase("cosh", torch.cosh, (X,), extremes=True),
    OpCase("asinh", torch.asinh, (X,)),
    OpCase("acosh", torch.acosh, (X.abs() + 1,)),
    OpCase("atanh", torch.atanh, (UNIT,), extremes=True),
    OpCase("atan2", torch.atan2, (X, floats(3, 5, seed=1))),
    OpCase("atan2 quadrants", torch.atan2, (QUADRANTS[:, None], QUADRANTS[None, :])),
    OpCase("atan2 int", torch.atan2, (ints(-3, 4, 2, 3), ints(-3, 4, 2, 3, seed=1))),
]
