"""Images, lines and volumes resampled to another size."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TypedDict

import torch
from torch.nn.functional import interpolate
from typing_extensions import Unpack

from opcases._case import OpCase, floats

__all__ = ["CASES"]

LINE, IMAGE, VOLUME = floats(2, 3, 7), floats(2, 3, 5, 7), floats(2, 3, 5, 7, 11)
ANY = (torch.float32, torch.float64, torch.float16, torch.uint8)
FLOAT = (torch.float32, torch.float64, torch.float16)
OTHERS = [{2: 3, 3: 2, 5: 13, 7: 17, 11: 4}, {2: 1, 3: 2, 5: 3, 7: 4, 11: 3}]
BY_RANK = {3: "1d", 4: "2d", 5: "3d"}
NAMES = {
    "nearest": "upsample_nearest{}",
    "nearest-exact": "_upsample_nearest_exact{}",
    "linear": "upsample_linear{}",
    "bilinear": "upsample_bilinear{}",
    "trilinear": "upsample_trilinear{}",
    "bicubic": "upsample_bicubic{}",
}

WIDE = floats(2, 3, 10, 20)
"""20 times 0.9 is 18, but less in float32's 0.9."""


class To(TypedDict, total=False):
    """What interpolate is asked for."""

    size: int | tuple[int, ...]
    scale_factor: float | tuple[float, ...]
    align_corners: bool
    antialias: bool


def case(
    words: str,
    x: torch.Tensor,
    mode: str,
    dtypes: Sequence[torch.dtype] = (),
    static: bool = False,
    **to: Unpack[To],
) -> OpCase:
    overload = NAMES[mode].format(BY_RANK[x.ndim])
    if to.get("antialias"):
        overload = f"_{overload}_aa"

    def call(x: torch.Tensor) -> torch.Tensor:
        return interpolate(x, mode=mode, **to)

    dynamic = None if static else "all"
    return OpCase(f"{overload}.vec {words}", call, (x,), dynamic=dynamic, resized=OTHERS, dtypes=dtypes)


def doubled(x: torch.Tensor) -> torch.Tensor:
    return interpolate(x, size=(x.shape[2] * 2, x.shape[3] + 4))


CASES = [
    case("twice", LINE, "nearest", scale_factor=2),
    case("twice", IMAGE, "nearest", scale_factor=2, dtypes=ANY),
    case("twice", VOLUME, "nearest", scale_factor=2),
    case("half", IMAGE, "nearest", scale_factor=(0.5, 4.0)),
    case("by 3", IMAGE, "nearest", scale_factor=3),
    case("by 1.7", IMAGE, "nearest", scale_factor=(1.7, 0.6), dtypes=ANY),
    case("by 2.02 static", IMAGE, "nearest", scale_factor=(2.02, 0.5), static=True),
    case("by 1.1 static", IMAGE, "nearest", scale_factor=(1.1, 1.1), static=True),
    case("by 2.02", IMAGE, "nearest", scale_factor=(2.02, 1.1)),
    case("by 2.02 wide", floats(1, 2, 7, 113), "nearest", scale_factor=(2.02, 1.1)),
    case("by 2.02 wide static", floats(1, 2, 7, 113), "nearest", scale_factor=(2.02, 1.1), static=True),
    case("by 41", LINE, "nearest", scale_factor=41, static=True),
    case("by 41 dynamic", LINE, "nearest", scale_factor=41),
    case("by 3 static", IMAGE, "nearest", scale_factor=3, static=True, dtypes=ANY),
    case("by 1.1 static", LINE, "nearest", scale_factor=1.1, static=True),
    case("to a size", IMAGE, "nearest", size=(13, 4)),
    case("to a size static", IMAGE, "nearest", size=(13, 4), static=True, dtypes=ANY),
    case("to the same size", IMAGE, "nearest", size=(5, 13), static=True),
    OpCase("upsample_nearest2d.vec to computed sizes", doubled, (IMAGE,), resized=OTHERS),
    case("twice", LINE, "nearest-exact", scale_factor=2),
    case("half", IMAGE, "nearest-exact", scale_factor=(0.5, 4.0), dtypes=ANY),
    case("by 1.7", IMAGE, "nearest-exact", scale_factor=(1.7, 0.6)),
    case("to a size", VOLUME, "nearest-exact", size=(13, 4, 5)),
    case("to a size static", IMAGE, "nearest-exact", size=(13, 3), static=True, dtypes=ANY),
    case("twice", LINE, "linear", scale_factor=2, dtypes=FLOAT),
    case("to a size", LINE, "linear", size=5),
    case("aligned", LINE, "linear", size=5, align_corners=True),
    case("twice", IMAGE, "bilinear", scale_factor=2, dtypes=FLOAT),
    case("by 1.5", IMAGE, "bilinear", scale_factor=(1.5, 0.25)),
    case("by 1.7", IMAGE, "bilinear", scale_factor=(1.7, 0.6), dtypes=FLOAT),
    case("by 1.7 static", IMAGE, "bilinear", scale_factor=(1.7, 0.6), static=True),
    case("to a size", IMAGE, "bilinear", size=(13, 4), dtypes=FLOAT),
    case("to 1", IMAGE, "bilinear", size=(1, 1)),
    case("aligned", IMAGE, "bilinear", size=(13, 4), align_corners=True, dtypes=FLOAT),
    case("aligned to 1", IMAGE, "bilinear", size=(1, 13), align_corners=True, dtypes=FLOAT),
    case("aligned scale", IMAGE, "bilinear", scale_factor=(1.7, 3), align_corners=True),
    case("twice", VOLUME, "trilinear", scale_factor=2),
    case("to a size", VOLUME, "trilinear", size=(4, 5, 13), dtypes=FLOAT[:2]),
    case("aligned", VOLUME, "trilinear", size=(4, 5, 13), align_corners=True),
    case("twice", IMAGE, "bicubic", scale_factor=2, dtypes=FLOAT),
    case("by 1.7", IMAGE, "bicubic", scale_factor=(1.7, 0.6)),
    case("to a size", IMAGE, "bicubic", size=(13, 4), dtypes=FLOAT[:2]),
    case("by 1.25", IMAGE, "bicubic", scale_factor=1.25),
    case("by 1.25", IMAGE, "bilinear", scale_factor=1.25),
    case("by 1.125 static", IMAGE, "bilinear", scale_factor=(1.125, 2), static=True),
    case("by 1.125 static", IMAGE, "bicubic", scale_factor=(1.125, 2), static=True),
    case("by 1.125", IMAGE, "nearest-exact", scale_factor=1.125),
    case("by 1.125", LINE, "linear", scale_factor=1.125),
    case("by 1.125", VOLUME, "trilinear", scale_factor=1.125),
    case("by 1.125 static", IMAGE, "bilinear", scale_factor=1.125, antialias=True, static=True),
    case("one axis", IMAGE, "bicubic", size=(13, 7), static=True),
    case("aligned", IMAGE, "bicubic", size=(13, 4), align_corners=True),
    case("half", IMAGE, "bilinear", scale_factor=0.5, antialias=True),
    case("to a size", IMAGE, "bilinear", size=(2, 13), antialias=True),
    dataclasses.replace(
        case("aligned", IMAGE, "bilinear", size=(2, 13), antialias=True, align_corners=True),
        name="_upsample_bilinear2d_aa.vec aligned",
        refused="between corners",
    ),
    case("by 0.9 static", WIDE, "bilinear", scale_factor=(1.7, 0.9), static=True),
    dataclasses.replace(
        case("by 0.9", WIDE, "bilinear", scale_factor=(1.7, 0.9), antialias=True, static=True),
        refused="may come to another size",
    ),
    case("half", IMAGE, "bicubic", scale_factor=0.5, antialias=True),
    case("to a size", IMAGE, "bicubic", size=(2, 13), antialias=True),
    OpCase(
        "upsample_bilinear2d sizes and scales",
        lambda x: torch.ops.aten.upsample_bilinear2d(x, [8, 11], False, 1.7, 1.6),
        (IMAGE,),
        dynamic=None,
    ),
    OpCase("upsample_nearest1d", lambda x: torch.ops.aten.upsample_nearest1d(x, [11]), (LINE,)),
    OpCase(
        "upsample_nearest2d",
        lambda x: torch.ops.aten.upsample_nearest2d(x, [10, 14], 2.0, 2.0),
        (IMAGE,),
        dynamic=[[0]],
    ),
    OpCase("upsample_nearest3d", lambda x: torch.ops.aten.upsample_nearest3d(x, [3, 5, 7]), (VOLUME,)),
    OpCase(
        "upsample_bilinear2d.vec of bytes",
        lambda x: interpolate(x, size=(3, 3), mode="bilinear"),
        ((IMAGE.abs() * 50).to(torch.uint8),),
        refused="torch rounds what it interpolates",
    ),
]
