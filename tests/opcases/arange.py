"""Ranges of numbers."""

from __future__ import annotations

import torch

from opcases._case import OpCase, floats

__all__ = ["CASES"]

X = floats(2, 3)

CASES = [
    OpCase("arange", lambda x: torch.arange(x.shape[1]), (X,)),
    OpCase("arange static", lambda: torch.arange(7)),
    OpCase("arange dtype", lambda x: torch.arange(x.shape[1], dtype=torch.float32), (X,)),
    OpCase("arange int32", lambda x: torch.arange(x.shape[1], dtype=torch.int32), (X,)),
    OpCase("arange half", lambda x: torch.arange(x.shape[1], dtype=torch.float16), (X,)),
    OpCase("arange float", lambda: torch.arange(3.5)),
    OpCase("arange empty", lambda: torch.arange(0)),
    OpCase("arange.start", lambda x: torch.arange(1, x.shape[1] + 1), (X,)),
    OpCase("arange.start float", lambda: torch.arange(0.5, 5)),
    OpCase("arange.start_step", lambda x: torch.arange(0, x.shape[1] * 4, 3), (X,)),
    OpCase("arange.start_step down", lambda x: torch.arange(x.shape[1], -3, -2), (X,)),
    OpCase("arange.start_step fine", lambda: torch.arange(0, 1, 0.001)),
    OpCase("arange.start_step double", lambda: torch.arange(0, 1, 0.1, dtype=torch.float64)),
    OpCase("arange.start_step dynamic float", lambda x: torch.arange(0, x.shape[1] * 0.5, 0.25), (X,)),
    OpCase(
        "arange.start_step floats to ints",
        lambda: torch.arange(0.5, 5.5, 1.5, dtype=torch.int64),
        refused="integers",
    ),
    OpCase("arange.start_step descending index", lambda x: x[:, torch.arange(x.shape[1] - 1, -1, -1)], (X,)),
    OpCase("linspace", lambda x: torch.linspace(-1, 1, 7), (X,), resized=[]),
    OpCase(
        "linspace float64", lambda x: torch.linspace(0, 1, 3, dtype=x.double().dtype) + x, (X,), dynamic=[[0]]
    ),
    OpCase("linspace.Tensor_Tensor", lambda x: torch.linspace(x[0, 0], x[-1, -1], 7), (X,)),
    OpCase("linspace.Tensor_Scalar", lambda x: torch.linspace(x[0, 0], 9, 7), (X.double(),)),
    OpCase("linspace.Scalar_Tensor", lambda x: torch.linspace(0.5, x[0, 0], 7), (X,)),
    OpCase("linspace one", lambda: torch.linspace(3, 5, 1)),
]
