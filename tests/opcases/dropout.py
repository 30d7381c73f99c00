"""Dropout."""

from __future__ import annotations

import torch

from opcases._case import OpCase, floats

__all__ = ["CASES"]

X = floats(2, 3)

CASES = [
    OpCase("dropout eval", lambda x: torch.dropout(x, 0.5, False), (X,)),
    OpCase("dropout p=0", lambda x: torch.dropout(x, 0.0, True), (X,)),
    OpCase("dropout p=1", lambda x: torch.dropout(x, 1.0, True), (X,)),
    OpCase("feature_dropout eval", lambda x: torch.feature_dropout(x, 0.5, False), (X,)),
    OpCase("alpha_dropout eval", lambda x: torch.alpha_dropout(x, 0.5, False), (X,)),
]
