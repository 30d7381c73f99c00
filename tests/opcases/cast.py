"""Changes of dtype, and copies."""

from __future__ import annotations

import torch

from opcases._case import OpCase, bools, floats, ints

__all__ = ["CASES"]

DTYPES = (
    torch.float32,
    torch.float64,
    torch.float16,
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.uint8,
    torch.bool,
)
X = floats(2, 3, 5) * 3
M = ints(0, 100, 2, 3)


def to(dtype: torch.dtype) -> list[OpCase]:
    """Casts to ``dtype`` of numbers that it can hold; others are undefined in C++ as in ONNX."""
    word = str(dtype).removeprefix("torch.")
    others = tuple(other for other in DTYPES if other != dtype)
    return [OpCase(f"to.dtype {word} from", lambda x: x.to(dtype), (M,), dtypes=others)]


CASES = [
    *(case for dtype in DTYPES for case in to(dtype)),
    OpCase("to.dtype fraction", lambda x: x.to(torch.int64), (X,), dtypes=(torch.float32, torch.float16)),
    OpCase(
        "to.dtype wraps",
        lambda x: x.to(torch.int8),
        (ints(-1000, 1000, 2, 7),),
        dtypes=(torch.int64, torch.int32),
    ),
    OpCase("to.dtype unsigned wraps", lambda x: x.to(torch.uint8), (ints(-1000, 1000, 2, 7),)),
    OpCase(
        "to.dtype truth",
        lambda x: x.to(torch.bool),
        (X / 9,),
        extremes=True,
        dtypes=(torch.float32, torch.float16),
    ),
    OpCase("to.dtype half overflow", lambda x: x.to(torch.float16), (X * 1e5,), extremes=True),
    OpCase("to.dtype_layout", lambda x: torch.ops.aten.to.dtype_layout(x, dtype=torch.float64), (X,)),
    OpCase(
        "to.dtype_layout none", lambda x: torch.ops.aten.to.dtype_layout(x, layout=torch.strided) + 1, (X,)
    ),
    OpCase("to.device", lambda x: torch.ops.aten.to.device(x, "cpu", torch.int32), (M,)),
    OpCase("to.other", lambda x, y: torch.ops.aten.to.other(x, y), (X, M)),
    OpCase("type_as", lambda x, y: x.type_as(y), (M, X)),
    OpCase("_to_copy", lambda x: torch.ops.aten._to_copy(x, dtype=torch.float64), (X,)),
    OpCase("_to_copy none", lambda x: torch.ops.aten._to_copy(x) + 1, (X,)),
    OpCase("clone", lambda x: torch.clone(x) + 1, (X,)),
    OpCase("contiguous", lambda x: x.transpose(0, 1).contiguous() + 1, (X,), only="onnx-torchlib"),
    OpCase("detach", lambda x: torch.ops.aten.detach(x) + 1, (X,)),
    OpCase("copy", lambda x, y: torch.ops.aten.copy(x, y), (M, floats(3) * 5)),
    OpCase("copy bool", lambda x, y: torch.ops.aten.copy(x, y), (X, bools(2, 3, 5))),
]
