"""Python numbers that the program computes."""

from __future__ import annotations

import math

import torch

from opcases._case import OpCase, floats, ints

__all__ = ["CASES"]

X = floats(2, 3)
N = torch.tensor(7)

CASES = [
    OpCase("sym_size.int", lambda x: x.shape[1], (X,)),
    OpCase("sym_size.int negative", lambda x: torch.ops.aten.sym_size.int(x, -1), (X,)),
    OpCase("add.int", lambda x: x.shape[0] + x.shape[1] + 5, (X,)),
    OpCase("sub.int", lambda x: x.shape[0] - x.shape[1], (X,)),
    OpCase("mul.int", lambda x: x.shape[0] * x.shape[1] * -3, (X,)),
    OpCase("floordiv.int", lambda x: (x.shape[0] * 7) // 3, (X,)),
    OpCase("floordiv.int negative", lambda x: (x.shape[0] * -7) // 3, (X,)),
    OpCase("remainder.int", lambda x: (x.shape[0] * 7) % 5, (X,)),
    OpCase("remainder.int negative", lambda x: (x.shape[0] * -7) % 5, (X,)),
    OpCase("div.int", lambda x: x.shape[0] / 7, (X,)),
    OpCase("pow.int_to_int", lambda x: x.shape[1] ** 3, (X,)),
    OpCase("neg.int", lambda x: -x.shape[1], (X,)),
    OpCase("prim::max.int", lambda x: torch.sym_max(x.shape[0], x.shape[1]), (X,), resized=[{2: 7, 3: 5}]),
    OpCase("prim::min.int", lambda x: torch.sym_min(x.shape[0], x.shape[1]), (X,), resized=[{2: 7, 3: 5}]),
    OpCase("aten::Float.Scalar", lambda x: torch.sym_float(x.shape[0]) * 0.5, (X,)),
    OpCase("mul.float", lambda x: torch.sym_float(x.shape[0]) * 0.25, (X,)),
    OpCase("mul.float mixed", lambda x: x.shape[0] * 0.25, (X,)),
    OpCase("sub.float", lambda x: 0.25 - x.shape[0], (X,)),
    OpCase("div.float", lambda x: x.shape[0] / 0.25, (X,)),
    OpCase("ceil.float", lambda x: math.ceil(x.shape[1] * 0.7), (X,)),
    OpCase("floor.float", lambda x: math.floor(x.shape[1] * 0.7), (X,)),
    OpCase("gt.int", lambda n: n.item() > 7, (N,), dynamic=None),
    OpCase("aten::Int.Scalar", lambda x: torch.sym_int(x.shape[1] * 0.7), (X,)),
    OpCase("eq.int", lambda n: n.item() == 7, (N,), dynamic=None),
    OpCase("lt.int", lambda n: n.item() < 7, (N,), dynamic=None),
    OpCase("ge.int", lambda n: n.item() >= 7, (N,), dynamic=None),
    OpCase(
        "item",
        lambda n: n.item(),
        (N,),
        dynamic=None,
        dtypes=(torch.int64, torch.int32, torch.float32, torch.bool),
    ),
    OpCase("item 1-d", lambda n: n.item() + 1, (ints(3, 9, 1),), dynamic=None),
    OpCase("item promotes", lambda x, n: x + n.item(), (X.half(), torch.tensor(2.5)), dynamic=None),
    OpCase("sym_numel", lambda x: x.numel() + 1, (X,)),
]
