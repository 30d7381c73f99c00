"""Padding."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from opcases._case import OpCase, floats, ints

__all__ = ["CASES"]

ALL = (
    torch.float32,
    torch.float64,
    torch.float16,
    torch.int64,
    torch.int32,
    torch.int16,
    torch.int8,
    torch.uint8,
)
X = floats(5, 7, 11)
# Cropping and reflecting need more elements than they take.
SMALL = [{5: 3, 7: 4, 11: 6}, {5: 4, 7: 13, 11: 5}]


def pad(name: str, *args: object, x: torch.Tensor = X, dtypes: tuple[torch.dtype, ...] = ()) -> OpCase:
    return OpCase(f"pad {name}", F.pad, (x, *args), resized=SMALL, dtypes=dtypes)


CASES = [
    pad("constant", (1, 2), dtypes=ALL),
    pad("constant bool", (1, 2), "constant", 1, x=X > 0),
    pad("constant value", (1, 2, 0, 3), "constant", 1.5),
    pad("constant integer value", (1, 2, 0, 3), "constant", 3, x=ints(0, 9, 5, 7, 11), dtypes=ALL),
    pad("constant infinity", (1, 2, 3, 0, 0, 1), "constant", -math.inf),
    pad("crop", (-1, 2, 1, -2)),
    pad("crop only", (-1, -2)),
    pad("nothing", (0, 0)),
    pad("reflect", (2, 3), "reflect", dtypes=ALL[:3]),
    pad("reflect plane", (2, 3, 1, 0), "reflect", x=X[None]),
    pad("reflect crop", (-1, 3), "reflect"),
    pad("replicate", (2, 3), "replicate", dtypes=ALL[:3]),
    pad("replicate plane", (2, 3, 7, 0), "replicate", x=X[None]),
    pad("replicate crop", (-2, 3), "replicate"),
    pad("circular", (2, 3), "circular"),
    pad("circular plane", (2, 3, 1, 0), "circular", x=X[None]),
    OpCase("pad runtime", lambda x: F.pad(x, (0, x.shape[0], x.shape[1] - 2, 1)), (X,), resized=SMALL),
    OpCase("pad runtime crop", lambda x: F.pad(x, (0, 3 - x.shape[2])), (X,), resized=SMALL),
    OpCase("pad empty", lambda x: F.pad(x, (1, 2)), (X[:, :0],), dynamic=None),
    OpCase("pad static", lambda x: F.pad(x, (1, -2)), (X,), dynamic=None),
    OpCase("constant_pad_nd", lambda x: torch.constant_pad_nd(x, [1, 2], 3), (X,), dtypes=ALL),
    OpCase("reflection_pad1d", lambda x: torch.ops.aten.reflection_pad1d(x, [2, 1]), (X,), resized=SMALL),
    OpCase("replication_pad2d", lambda x: torch.ops.aten.replication_pad2d(x, [2, 1, 0, 3]), (X,)),
]
