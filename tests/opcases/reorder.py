"""Elements turned round, rolled along axes, or shuffled between channels and pixels."""

from __future__ import annotations

import torch

from opcases._case import OpCase, floats, ints

__all__ = ["CASES"]

ALL = (torch.float32, torch.float64, torch.float16, torch.int64, torch.int32, torch.uint8, torch.bool)
X = floats(5, 7, 11)

CASES = [
    OpCase("flip", lambda x: torch.flip(x, (0, -1)), (X,), dtypes=ALL),
    OpCase("flip nothing", lambda x: torch.flip(x, ()) * 2, (X,)),
    OpCase("flip empty", lambda x: torch.flip(x, (0, 1)), (X[:0],), dynamic=None),
    OpCase("flip 0-d", lambda x: torch.flip(x, (0,)) * 2, (floats(),)),
    OpCase("fliplr", torch.fliplr, (X,)),
    OpCase("flipud", torch.flipud, (X,)),
    OpCase("rot90", torch.rot90, (X,)),
    OpCase("rot90 twice", lambda x: torch.rot90(x, 2, (1, 2)), (X,)),
    OpCase("rot90 back", lambda x: torch.rot90(x, -1, (0, -1)), (X,)),
    OpCase("rot90 full turn", lambda x: torch.rot90(x, 4) * 2, (X,)),
    OpCase("roll", lambda x: torch.roll(x, (2, -3), (0, -1)), (X,), dtypes=ALL),
    OpCase("roll all", lambda x: torch.roll(x, 4), (X,)),
    OpCase("roll far", lambda x: torch.roll(x, 103, 1), (X,)),
    OpCase("roll twice", lambda x: torch.roll(x, (1, 1), (0, 0)), (X,)),
    OpCase("roll static", lambda x: torch.roll(x, (-9, 14, 2), (0, 1, 2)), (X,), dynamic=None),
    OpCase("roll by a size", lambda x, y: torch.roll(x, y.shape[0], 1), (X, floats(3))),
    OpCase("roll back by a size", lambda x, y: torch.roll(x, -y.shape[0]), (X, floats(3))),
    OpCase("roll empty", lambda x: torch.roll(x, 2, 0), (X[:0],), dynamic=None),
    OpCase("roll empty one day", lambda x: torch.roll(x, 2, 0), (X,), resized=[{5: 0}]),
    OpCase("roll 0-d", lambda x: torch.roll(x, 2) * 2, (floats(),)),
    OpCase(
        "pixel_shuffle",
        lambda x: torch.pixel_shuffle(x, 2),
        (floats(2, 12, 5, 7),),
        dynamic=[[0, 2, 3]],
        dtypes=ALL[:3],
    ),
    OpCase(
        "pixel_shuffle of integers",
        lambda x: torch.pixel_shuffle(x, 2),
        (ints(0, 99, 2, 12, 5, 7),),
        dynamic=[[0, 2, 3]],
        dtypes=ALL[3:],
    ),
    OpCase(
        "pixel_shuffle no batch", lambda x: torch.pixel_shuffle(x, 3), (floats(18, 5, 7),), dynamic=[[1, 2]]
    ),
    OpCase(
        "pixel_shuffle two batches",
        lambda x: torch.pixel_shuffle(x, 2),
        (floats(3, 2, 12, 5, 7),),
        dynamic=[[0, 1, 3, 4]],
    ),
    OpCase(
        "pixel_unshuffle",
        lambda x: torch.pixel_unshuffle(x, 2),
        (floats(2, 3, 6, 10),),
        dynamic=[[0]],
        dtypes=ALL,
    ),
    OpCase(
        "pixel_unshuffle dynamic",
        lambda x: torch.pixel_unshuffle(x, 2),
        (floats(5, 3, 6, 10),),
        resized=[{5: 2, 3: 7, 6: 4, 10: 8}],
    ),
    OpCase(
        "pixel_unshuffle no batch", lambda x: torch.pixel_unshuffle(x, 2), (floats(3, 6, 10),), dynamic=None
    ),
    OpCase(
        "pixel_unshuffle two batches",
        lambda x: torch.pixel_unshuffle(x, 2),
        (floats(5, 7, 3, 6, 10),),
        dynamic=[[0, 1]],
    ),
    OpCase(
        "channel_shuffle",
        lambda x: torch.channel_shuffle(x, 3),
        (floats(2, 6, 5, 7),),
        dynamic=[[0, 2, 3]],
        dtypes=ALL,
    ),
    OpCase("channel_shuffle 1-d", lambda x: torch.channel_shuffle(x, 2), (floats(2, 6, 5),), dynamic=None),
]
