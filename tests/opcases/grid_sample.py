"""Images and volumes read at the points of a grid."""

from __future__ import annotations

from torch.nn import functional as f

from opcases._case import OpCase, floats

__all__ = ["CASES"]

IMAGE, GRID = floats(2, 3, 5, 7), floats(2, 11, 13, 2, seed=1) * 0.8
VOLUME, POINTS = floats(2, 3, 5, 7, 11), floats(2, 13, 17, 19, 3, seed=1) * 0.8
SMALL = [{2: 3, 3: 2, 5: 4, 7: 6, 11: 5, 13: 2, 17: 3, 19: 2}]
THETA = floats(2, 2, 3)


def sampled(mode: str, padding: str, align: bool) -> OpCase:
    return OpCase(
        f"grid_sampler {mode} {padding} {align}",
        lambda x, g: f.grid_sample(x, g, mode, padding, align),
        (IMAGE, GRID),
        dynamic=[[0, 1, 2, 3], [0, 1, 2]],
        resized=SMALL,
    )


CASES = [
    *[
        sampled(mode, padding, align)
        for mode in ("bilinear", "nearest", "bicubic")
        for padding in ("zeros", "border", "reflection")
        for align in (False, True)
    ],
    *[
        OpCase(
            f"grid_sampler volume {mode}",
            lambda x, g, mode=mode: f.grid_sample(x, g, mode, align_corners=True),
            (VOLUME, POINTS),
            since=20,
            dynamic=[[0, 1, 2, 3, 4], [0, 1, 2, 3]],
            resized=SMALL,
        )
        for mode in ("bilinear", "nearest")
    ],
    OpCase(
        "affine_grid_generator",
        lambda t: f.affine_grid(t, [2, 3, 5, 7], align_corners=False),
        (THETA,),
        dynamic=None,
        since=20,
    ),
    OpCase(
        "affine_grid_generator aligned",
        lambda t: f.affine_grid(t, [2, 3, 5, 7], align_corners=True),
        (THETA.double(),),
        dynamic=None,
        since=20,
    ),
    OpCase(
        "affine_grid_generator volume",
        lambda t: f.affine_grid(t, [2, 3, 5, 7, 11], align_corners=False),
        (floats(2, 3, 4),),
        dynamic=None,
        since=20,
    ),
]
