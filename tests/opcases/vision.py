"""Operators of torchvision, by its schemas."""

from __future__ import annotations

import torch

from opcases._case import OpCase, floats
from opcases._torchvision import register

__all__ = ["CASES"]

register()
ops = torch.ops.torchvision

CORNERS = floats(23, 2).abs() * 7
BOXES = torch.cat([CORNERS, CORNERS + floats(23, 2, seed=1).abs() * 5], 1)
SCORES = floats(23, seed=2)
TIES = (SCORES * 2).round()
IMAGES = floats(2, 3, 17, 19)
ROIS = torch.cat([torch.arange(23).remainder(2).unsqueeze(1), BOXES], 1)
# Smaller than a cell, outside on both sides, and without any size.
ODD = torch.tensor([[0, 3, 3, 3.2, 3.1], [1, -9, -8, 40, 41], [0, 5, 5, 5, 5]])
ROWS = [[], [0]]
# From opset 22 on, ONNX Runtime has no kernels for regions of interest.
KERNELS = 21

FILTER = floats(8, 2, 3, 5)
OFFSET, MASK = floats(2, 2 * 2 * 15, 13, 7, seed=1) * 2, floats(2, 2 * 15, 13, 7, seed=2)
SIGNAL, BIAS = floats(2, 4, 13, 15), floats(8)
GEOMETRY = (1, 2, 1, 1, 1, 1)


def _deformed(x: torch.Tensor, offset: torch.Tensor, mask: torch.Tensor, use_mask: bool) -> torch.Tensor:
    result: torch.Tensor = ops.deform_conv2d(x, FILTER, offset, mask, BIAS, *GEOMETRY, 2, 2, use_mask)
    return result


CASES = [
    OpCase("torchvision::nms", ops.nms, (BOXES, SCORES, 0.3), dynamic=[[0], [0]], resized=[]),
    OpCase("torchvision::nms ties", ops.nms, (BOXES, TIES, 0.1), dynamic=None),
    OpCase(
        "torchvision::nms double",
        ops.nms,
        (BOXES.double(), SCORES.double(), 0.3),
        dynamic=None,
        refused="float32 alone",
    ),
    *(
        OpCase(
            f"torchvision::roi_align {'aligned' if aligned else 'plain'} ratio {ratio}",
            ops.roi_align,
            (IMAGES, rois, 0.75, 3, 5, ratio, aligned),
            dynamic=ROWS,
            resized=[],
            since=16 if aligned else None,
            until=KERNELS,
        )
        for rois, aligned, ratio in ((ROIS, True, 2), (ROIS, False, -1), (ODD, True, 0), (ODD, False, 2))
    ),
    OpCase(
        "torchvision::roi_align double",
        ops.roi_align,
        (IMAGES.double(), ROIS.double(), 1.0, 2, 2, 2, False),
        dynamic=None,
        until=KERNELS,
    ),
    OpCase(
        "torchvision::roi_pool",
        lambda x, rois: ops.roi_pool(x, rois, 0.75, 3, 5)[0],
        (IMAGES, torch.cat([ROIS, ODD])),
        dynamic=ROWS,
        resized=[],
        until=KERNELS,
    ),
    OpCase(
        "torchvision::roi_pool places",
        ops.roi_pool,
        (IMAGES, ROIS, 1.0, 2, 2),
        dynamic=None,
        refused="where the maxima",
    ),
    OpCase(
        "torchvision::deform_conv2d",
        lambda x, offset, mask: _deformed(x, offset, mask, True),
        (SIGNAL, OFFSET, MASK),
        dynamic=[[0], [0], [0]],
    ),
    OpCase(
        "torchvision::deform_conv2d without mask",
        lambda x, offset, mask: _deformed(x, offset, mask, False),
        (SIGNAL, OFFSET, MASK[:, :0]),
        dynamic=None,
    ),
]
