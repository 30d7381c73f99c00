"""Arithmetic."""

from __future__ import annotations

import torch

from opcases._case import OpCase, floats

__all__ = ["CASES"]

CASES = [
    OpCase("add.Tensor", torch.add, (floats(2, 3, 5), floats(3, 5, seed=1)), extremes=True),
    OpCase("add.Tensor alpha", torch.add, (floats(2, 3), floats(2, 3, seed=1)), {"alpha": 0.5}),
]
