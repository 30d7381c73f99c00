"""The same elements in another shape."""

from __future__ import annotations

import torch

from opcases._case import OpCase, floats

__all__ = ["CASES"]

X = floats(2, 3, 5, 7)
ONES = floats(2, 1, 3, 1)

CASES = [
    OpCase("view", lambda x: x.view(x.shape[0], -1, 7), (X,), dynamic=[[0, 1, 2]]),
    OpCase(
        "view split", lambda x: x.view(x.shape[0], x.shape[1], 3, 2), (floats(2, 5, 6),), dynamic=[[0, 1]]
    ),
    OpCase("view all dynamic", lambda x: x.view(x.shape[0] * x.shape[1], x.shape[2] * x.shape[3]), (X,)),
    OpCase("view empty", lambda x: x.view(x.shape[1], 0), (floats(0, 3),), dynamic=[[1]], resized=[{3: 5}]),
    OpCase("view static", lambda x: x.view(6, 35), (X,), dynamic=None),
    OpCase("view 0-d", lambda x: x.view([]), (floats(1, 1),)),
    OpCase("reshape", lambda x: x.reshape(-1), (X,)),
    OpCase(
        "reshape heads",
        lambda x: x.reshape(x.shape[0], x.shape[1], 2, 3),
        (floats(2, 5, 6),),
        dynamic=[[0, 1]],
    ),
    OpCase("view_as", lambda x, y: x.view_as(y), (floats(2, 3), floats(3, 2, seed=1)), dynamic=None),
    OpCase("reshape_as", lambda x, y: x.reshape_as(y), (floats(2, 3), floats(3, 2, seed=1)), dynamic=None),
    OpCase("flatten.using_ints", torch.flatten, (X,)),
    OpCase("flatten.using_ints from 1", lambda x: torch.flatten(x, 1), (X,)),
    OpCase("flatten.using_ints middle", lambda x: torch.flatten(x, 1, 2), (X,)),
    OpCase("flatten.using_ints negative", lambda x: torch.flatten(x, -3, -2), (X,), dynamic=[[0, 1, 2]]),
    OpCase("flatten.using_ints one", lambda x: torch.flatten(x, 1, 1), (X,)),
    OpCase("flatten.using_ints 0-d", torch.flatten, (floats(),)),
    OpCase("flatten.using_ints empty", lambda x: torch.flatten(x, 1), (floats(2, 0, 3),), dynamic=[[0]]),
    OpCase("flatten.using_ints empty batch", lambda x: torch.flatten(x, 1), (X,), resized=[{2: 0}]),
    OpCase("unflatten.int", lambda x: torch.unflatten(x, 1, (2, 3)), (floats(5, 6, 7),), dynamic=[[0, 2]]),
    OpCase("unflatten.int -1", lambda x: torch.unflatten(x, -1, (2, -1)), (floats(5, 6),), dynamic=[[0]]),
    OpCase("unsqueeze", lambda x: torch.unsqueeze(x, 1), (X,)),
    OpCase(
        "unsqueeze negative",
        lambda x: torch.unsqueeze(x, -1),
        (X,),
        dtypes=(torch.float32, torch.bool, torch.int8),
    ),
    OpCase("unsqueeze 0-d", lambda x: torch.unsqueeze(x, 0), (floats(),)),
    OpCase("squeeze", torch.squeeze, (ONES,), resized=[{2: 5, 3: 7}]),
    OpCase("squeeze nothing", torch.squeeze, (floats(2, 3),), dynamic=None),
    OpCase("squeeze.dim", lambda x: torch.squeeze(x, 1), (ONES,)),
    OpCase("squeeze.dim negative", lambda x: torch.squeeze(x, -1), (ONES,)),
    OpCase("squeeze.dim larger", lambda x: torch.squeeze(x, 1), (floats(2, 3),), dynamic=None),
    OpCase("squeeze.dim dynamic", lambda x: torch.squeeze(x, 0), (floats(2, 3),), resized=[{2: 5, 3: 7}]),
    OpCase("squeeze.dim 0-d", lambda x: torch.squeeze(x, 0), (floats(),)),
    OpCase("squeeze.dims", lambda x: torch.squeeze(x, (1, -1)), (ONES,)),
    OpCase("expand", lambda x: x.expand(2, -1, 3), (floats(2, 5, 1),), dynamic=[[1]]),
    OpCase("expand more", lambda x: x.expand(3, *x.shape), (floats(2, 5),)),
    OpCase(
        "expand size",
        lambda x, y: x.expand(y.shape[0], -1),
        (floats(1, 5), floats(3)),
        dtypes=(torch.float32, torch.bool),
    ),
    OpCase("expand 0-d", lambda x: x.expand(2, 3), (floats(),)),
    OpCase("expand_as", lambda x, y: x.expand_as(y), (floats(1, 5), floats(3, 5))),
]
