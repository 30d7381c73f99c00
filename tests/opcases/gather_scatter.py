"""Members picked by an index tensor of the result's shape."""

from __future__ import annotations

import torch

from opcases._case import OpCase, floats, ints

__all__ = ["CASES"]

ALL = (torch.float32, torch.float64, torch.float16, torch.int64, torch.int32, torch.uint8, torch.bool)
X = floats(5, 7, 11)
# Sizes stay large enough for the indices, and the index no larger than what it picks from.
SMALL = [{5: 3, 7: 4, 11: 6, 2: 1, 3: 2}, {5: 4, 7: 3, 11: 3, 2: 3, 3: 1}]


def gather(name: str, *args: object) -> OpCase:
    return OpCase(f"gather {name}", torch.gather, args, resized=SMALL)


CASES = [
    OpCase(
        "gather",
        torch.gather,
        (X, 0, ints(0, 3, 13, 7, 11)),
        resized=[{5: 3, 7: 4, 11: 6, 13: 1}],
        dtypes=ALL,
    ),
    gather("middle axis", X, 1, ints(0, 3, 5, 2, 11)),
    gather("negative axis", X, -1, ints(0, 3, 5, 7, 3)),
    gather("smaller index", X, 1, ints(0, 3, 2, 7, 3)),
    gather("smaller index in front", X, 2, ints(0, 3, 2, 3, 11)),
    OpCase("gather 0-d", torch.gather, (floats(), 0, torch.tensor(0))),
    OpCase("gather of 0-d", torch.gather, (floats(), -1, ints(0, 1, 3))),
    OpCase(
        "gather by 0-d", torch.gather, (floats(5), 0, torch.tensor(2)), dynamic=[[0], []], resized=[{5: 3}]
    ),
    OpCase("gather none", torch.gather, (X, 1, ints(0, 3, 5, 0, 11)), dynamic=None),
    OpCase(
        "gather non-contiguous",
        lambda x, i: x.mT.gather(1, i),
        (floats(3, 5), ints(0, 3, 3, 2)),
        dynamic=None,
    ),
    OpCase("take_along_dim", torch.take_along_dim, (X, ints(0, 3, 5, 2, 11), 1), dynamic=None, dtypes=ALL),
    OpCase("take_along_dim broadcast", torch.take_along_dim, (X, ints(0, 3, 1, 2, 1), 1), dynamic=None),
    OpCase(
        "take_along_dim broadcast self",
        torch.take_along_dim,
        (X[:, :, :1], ints(0, 3, 5, 2, 11), -2),
        dynamic=None,
    ),
    OpCase("take_along_dim flat", torch.take_along_dim, (X, ints(0, 9, 2, 3)), dynamic=None),
]
