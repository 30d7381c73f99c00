"""Classes as rows with a single 1."""

from __future__ import annotations

from torch.nn.functional import one_hot

from opcases._case import OpCase, ints

__all__ = ["CASES"]

CASES = [
    OpCase("one_hot", lambda x: one_hot(x, 11), (ints(0, 11, 5, 7),)),
    OpCase("one_hot 0-d", lambda x: one_hot(x, 3), (ints(0, 3),)),
    OpCase("one_hot empty", lambda x: one_hot(x, 3), (ints(0, 3, 0, 5),), dynamic=None),
]
