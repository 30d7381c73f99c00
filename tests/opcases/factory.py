"""Tensors made from nothing but a shape and a number."""

from __future__ import annotations

import torch

from opcases._case import OpCase, floats, ints

__all__ = ["CASES"]

X = floats(2, 3)
M = ints(0, 5, 2, 3)
DTYPES = (
    torch.float32,
    torch.float64,
    torch.float16,
    torch.int8,
    torch.int32,
    torch.int64,
    torch.uint8,
    torch.bool,
)

CASES = [
    OpCase("zeros", lambda x: torch.zeros(x.shape[0], 5), (X,)),
    OpCase("zeros static", lambda: torch.zeros(2, 3, dtype=torch.int32)),
    OpCase("zeros 0-d", lambda: torch.zeros(())),
    OpCase("ones", lambda x: torch.ones(x.shape[0], x.shape[1], dtype=torch.bool), (X,)),
    OpCase("full", lambda x: torch.full((x.shape[0], 5), 2.5), (X,)),
    OpCase("full int", lambda x: torch.full((x.shape[0],), 7), (X,)),
    OpCase("full bool", lambda x: torch.full((x.shape[0],), True), (X,)),
    OpCase("full truncated", lambda x: torch.full((x.shape[0],), -2.7, dtype=torch.int64), (X,)),
    OpCase("full infinite", lambda x: torch.full((x.shape[0],), -torch.inf), (X,)),
    OpCase("full lowest", lambda x: torch.full((x.shape[0],), torch.finfo(torch.float32).min), (X,)),
    OpCase("full wraps", lambda x: torch.full((x.shape[0],), -1, dtype=torch.uint8), (X,)),
    OpCase("full size", lambda x: torch.full((2, 3), x.shape[0]), (X,)),
    OpCase("empty.memory_format", lambda x: torch.isnan(torch.empty(x.shape[0], 5)) | True, (X,)),
    OpCase("new_zeros", lambda x: x.new_zeros(x.shape[1], 5), (X,), dtypes=DTYPES),
    OpCase("new_ones", lambda x: x.new_ones(x.shape[1], 5), (X,), dtypes=DTYPES),
    OpCase("new_ones dtype", lambda x: x.new_ones((x.shape[1], 5), dtype=torch.bool), (X,)),
    OpCase(
        "new_full",
        lambda x: x.new_full((x.shape[1],), 3.5),
        (X,),
        dtypes=(torch.float32, torch.int64, torch.bool),
    ),
    OpCase("new_empty", lambda x: torch.isnan(x.new_empty(x.shape[1])) | True, (X,)),
    OpCase("zeros_like", torch.zeros_like, (X,), dtypes=DTYPES),
    OpCase("ones_like", torch.ones_like, (X,), dtypes=DTYPES),
    OpCase("ones_like dtype", lambda x: torch.ones_like(x, dtype=torch.int64), (X,)),
    OpCase("ones_like static", torch.ones_like, (X,), dynamic=None),
    OpCase("ones_like 0-d", torch.ones_like, (floats(),)),
    OpCase("empty_like", lambda x: torch.isnan(torch.empty_like(x)) | True, (X,)),
    OpCase(
        "full_like",
        lambda x: torch.full_like(x, 2.5),
        (X,),
        dtypes=(torch.float32, torch.float16, torch.int64),
    ),
    OpCase(
        "fill.Scalar", lambda x: torch.ops.aten.fill.Scalar(x, 2.5), (X,), dtypes=(torch.float32, torch.int64)
    ),
    OpCase("fill.Tensor", lambda x, y: torch.ops.aten.fill.Tensor(x, y), (M, floats() * 5)),
    OpCase("zero", lambda x: torch.ops.aten.zero(x), (X,)),
    OpCase("scalar_tensor", lambda: torch.scalar_tensor(2.5)),
    OpCase("scalar_tensor int", lambda x: torch.scalar_tensor(x.shape[0], dtype=torch.int64), (X,)),
    OpCase("eye", lambda x: torch.eye(x.shape[0]), (X,)),
    OpCase("eye.m", lambda x: torch.eye(x.shape[0], x.shape[1], dtype=torch.int64), (X,)),
    OpCase("eye.m bool", lambda: torch.eye(3, 5, dtype=torch.bool)),
    OpCase("empty_strided", lambda x: torch.zeros_like(torch.empty_strided((x.shape[0], 3), (1, 5))), (X,)),
    OpCase("new_empty_strided", lambda x: torch.zeros_like(x.new_empty_strided((x.shape[0],), (2,))), (X,)),
]
