"""Reordered axes."""

from __future__ import annotations

import torch

from opcases._case import OpCase, floats, ints

__all__ = ["CASES"]

X = floats(2, 3, 5, 7)
ALL = (torch.float32, torch.float64, torch.float16, torch.int64, torch.int32, torch.uint8, torch.bool)

CASES = [
    OpCase("permute", torch.permute, (X, (3, 0, 2, 1)), dtypes=ALL),
    OpCase("permute negative", torch.permute, (X, (-1, 0, -3, 2))),
    OpCase("permute none", torch.permute, (X, (0, 1, 2, 3))),
    OpCase("permute 0-d", torch.permute, (floats(), ())),
    OpCase("permute empty", torch.permute, (floats(2, 0, 3), (1, 2, 0))),
    OpCase("permute non-contiguous", lambda x: x.transpose(0, 2).permute(2, 1, 0, 3), (X,)),
    OpCase("transpose.int", torch.transpose, (X, 1, -1), dtypes=ALL),
    OpCase("transpose.int itself", torch.transpose, (X, 1, -3)),
    OpCase("transpose.int 0-d", torch.transpose, (floats(), 0, -1)),
    OpCase("swapaxes", torch.swapaxes, (X, 0, -2)),
    OpCase("swapdims", torch.swapdims, (X, 0, 3)),
    OpCase("t", torch.t, (floats(2, 3),)),
    OpCase("t 1-d", torch.t, (floats(3),)),
    OpCase("t 0-d", torch.t, (floats(),)),
    OpCase("numpy_T", lambda x: x.T, (floats(2, 3),)),
    OpCase("mT", lambda x: x.mT, (X,)),
    OpCase("mH", lambda x: x.mH, (X,)),
    OpCase("matrix_H", lambda x: x.H, (floats(2, 3),)),
    OpCase("adjoint", torch.adjoint, (ints(0, 9, 2, 3),)),
    OpCase("movedim.int", torch.movedim, (X, 1, -1)),
    OpCase("movedim.int 0-d", torch.movedim, (floats(), 0, -1)),
    OpCase("movedim.intlist", torch.movedim, (X, (0, -1), (-2, 0))),
]
