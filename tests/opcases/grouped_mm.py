"""Matrix products by groups."""

from __future__ import annotations

import importlib

import torch

from opcases._case import OpCase, floats

__all__ = ["CASES"]

importlib.import_module("transformers.integrations.moe")  # which registers the operator

ENDS = torch.tensor([3, 3, 7, 11], dtype=torch.int32)
FLOATS = (torch.float32, torch.float64, torch.float16)


def rows(left: torch.Tensor, right: torch.Tensor, ends: torch.Tensor) -> torch.Tensor:
    grouped: torch.Tensor = torch.ops.transformers.grouped_mm_fallback(
        left, right, ends.clamp(max=left.shape[0])
    )
    return grouped


FALLBACK = "transformers::grouped_mm_fallback"

CASES = [
    OpCase(
        FALLBACK,
        rows,
        (floats(11, 2), floats(4, 2, 5), ENDS),
        dynamic=((0,), (2,), ()),
        dtypes=FLOATS,
    ),
    OpCase(f"{FALLBACK} rest", rows, (floats(13, 2), floats(4, 2, 5), ENDS), dynamic=((0,), (2,), ())),
    OpCase(f"{FALLBACK} no rows", rows, (floats(0, 2), floats(4, 2, 5), ENDS.long()), dynamic=None),
    OpCase(
        f"{FALLBACK} any number of groups",
        rows,
        (floats(11, 2), floats(4, 2, 5), ENDS),
        dynamic=((), (0,), (0,)),
        refused="the number of groups must be known",
    ),
    OpCase(
        "_grouped_mm",
        torch._grouped_mm,
        (floats(11, 8).bfloat16(), floats(4, 8, 16).bfloat16(), ENDS),
        dynamic=None,
    ).xfail("ONNX Runtime's CPU has no MatMul of bfloat16, the one dtype that torch exports"),
]
