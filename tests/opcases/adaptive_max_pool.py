"""Maxima of as many windows as the result is to have."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch.nn import functional as f

from opcases._case import OpCase, floats

__all__ = ["CASES"]

FLOAT = (torch.float32, torch.float64, torch.float16)
LINE, IMAGE, VOLUME = floats(2, 3, 7), floats(2, 3, 5, 7), floats(2, 3, 5, 7, 11)
OTHERS = [{2: 3, 3: 2, 5: 13, 7: 4, 11: 6}, {2: 1, 3: 1, 5: 2, 7: 1, 11: 1}]


def pooled(
    name: str, x: torch.Tensor, *size: int, static: bool = False, dtypes: Sequence[torch.dtype] = ()
) -> OpCase:
    functions = (f.adaptive_max_pool1d, f.adaptive_max_pool2d, f.adaptive_max_pool3d)
    axes = int(name.split(" ")[0][-2])
    return OpCase(
        name,
        lambda x: functions[axes - 1](x, size if axes > 1 else size[0], return_indices=True),
        (x,),
        dynamic=None if static else "all",
        resized=OTHERS,
        dtypes=dtypes,
    )


CASES = [
    pooled("adaptive_max_pool1d", LINE, 3),
    pooled("adaptive_max_pool1d static", LINE, 4, static=True),
    pooled("adaptive_max_pool1d even", floats(2, 3, 8), 4, static=True),
    pooled("adaptive_max_pool2d", IMAGE, 3, 4, dtypes=FLOAT),
    pooled("adaptive_max_pool2d to 1", IMAGE, 1, 1),
    pooled("adaptive_max_pool2d larger", IMAGE, 11, 2),
    pooled("adaptive_max_pool2d static", IMAGE, 3, 4, static=True),
    pooled("adaptive_max_pool2d even", floats(2, 3, 6, 8), 3, 2, static=True, dtypes=FLOAT),
    pooled("adaptive_max_pool2d no batch", IMAGE[0], 3, 4),
    pooled("adaptive_max_pool2d even no batch", floats(3, 6, 8), 3, 2, static=True),
    pooled("adaptive_max_pool3d", VOLUME, 3, 2, 4),
    pooled("adaptive_max_pool3d even", floats(2, 3, 4, 6, 2), 2, 3, 1, static=True),
    OpCase(
        "adaptive_max_pool2d extremes",
        lambda x: f.adaptive_max_pool2d(x, (3, 4)),
        (IMAGE,),
        resized=OTHERS,
        extremes=True,
    ),
    OpCase(
        "adaptive_max_pool2d even extremes",
        lambda x: f.adaptive_max_pool2d(x, (3, 2)),
        (floats(2, 3, 6, 8),),
        dynamic=None,
        extremes=True,
    ).xfail("ONNX Runtime's MaxPool passes NaN over, which torch's does not"),
]
