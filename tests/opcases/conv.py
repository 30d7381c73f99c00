"""Convolutions. ONNX Runtime has none for float64."""

from __future__ import annotations

import dataclasses

import torch
import torch.nn.functional as F

from opcases._case import OpCase, floats, ints

__all__ = ["CASES"]

HALVES = (torch.float32, torch.float16)

# batch 2, channels 3, length 11, height 13, width 17; weights do not change their size
LINE, PLANE, SPACE = floats(2, 3, 11), floats(2, 3, 11, 13), floats(2, 3, 7, 5, 11)
SIZES: dict[int, list[list[int]]] = {
    1: [[0, 2], [], []],
    2: [[0, 2, 3], [], []],
    3: [[0, 2, 3, 4], [], []],
}
# Smaller inputs than the kernel are an error in torch, so the sizes stay above it.
LARGER = [{2: 5, 11: 19, 13: 23, 7: 17, 5: 13}, {2: 1, 11: 29, 13: 31, 7: 19, 5: 11}]


def conv(name: str, function: object, *args: object, batch: bool = True, **kwargs: object) -> OpCase:
    tensors = [arg for arg in args if isinstance(arg, torch.Tensor)]
    axes = tensors[1].ndim - 2
    dims = SIZES[axes][0] if batch else [dim - 1 for dim in SIZES[axes][0] if dim]
    dynamic = [dims, *([] for _ in tensors[1:])]
    assert callable(function)
    return OpCase(name, function, args, kwargs, dynamic=dynamic, resized=LARGER)


def halves(case: OpCase) -> OpCase:
    return dataclasses.replace(case, dtypes=HALVES)


def whole_halves(case: OpCase) -> OpCase:
    """In float16, on whole numbers: ONNX Runtime and torch add up in orders that differ by the machine."""
    args = tuple(arg.round() if isinstance(arg, torch.Tensor) else arg for arg in case.args)
    return dataclasses.replace(case, args=args, dtypes=HALVES)


CASES = [
    halves(conv("conv1d", F.conv1d, LINE, floats(5, 3, 2), floats(5))),
    conv("conv1d no bias", F.conv1d, LINE, floats(5, 3, 2)),
    conv(
        "conv1d all",
        F.conv1d,
        LINE,
        floats(6, 1, 2),
        floats(6),
        stride=2,
        padding=3,
        dilation=3,
        groups=3,
    ),
    conv("conv1d no batch", F.conv1d, LINE[0], floats(5, 3, 2), floats(5), batch=False),
    conv("conv1d.padding same", F.conv1d, LINE, floats(5, 3, 4), floats(5), padding="same"),
    conv("conv1d.padding same dilated", F.conv1d, LINE, floats(5, 3, 2), padding="same", dilation=3),
    conv("conv1d.padding valid", F.conv1d, LINE, floats(5, 3, 4), floats(5), padding="valid", stride=2),
    conv("conv1d.padding no batch", F.conv1d, LINE[0], floats(5, 3, 4), padding="same", batch=False),
    halves(conv("conv2d", F.conv2d, PLANE, floats(5, 3, 2, 3), floats(5))),
    conv("conv2d no bias", F.conv2d, PLANE, floats(5, 3, 2, 3)),
    conv(
        "conv2d all",
        F.conv2d,
        PLANE,
        floats(6, 1, 2, 3),
        floats(6),
        stride=(2, 3),
        padding=(0, 2),
        dilation=(1, 2),
        groups=3,
    ),
    conv("conv2d single numbers", F.conv2d, PLANE, floats(5, 3, 3, 3), stride=2, padding=1, dilation=2),
    conv("conv2d no batch", F.conv2d, PLANE[0], floats(5, 3, 2, 3), floats(5), batch=False),
    conv("conv2d.padding same", F.conv2d, PLANE, floats(5, 3, 2, 3), floats(5), padding="same"),
    conv("conv2d.padding valid", F.conv2d, PLANE, floats(5, 3, 2, 3), padding="valid", dilation=(2, 1)),
    OpCase("conv2d empty batch", F.conv2d, (PLANE[:0], floats(5, 3, 2, 3), floats(5)), dynamic=None),
    OpCase("conv2d static", F.conv2d, (PLANE, floats(5, 3, 2, 3), floats(5)), dynamic=None),
    OpCase(
        "conv2d integers",
        F.conv2d,
        (ints(0, 5, 2, 3, 11, 13), ints(0, 5, 5, 3, 2, 3)),
        dynamic=None,
        refused="does not take INT64",
    ),
    halves(conv("conv3d", F.conv3d, SPACE, floats(5, 3, 2, 3, 2), floats(5))),
    conv("conv3d all", F.conv3d, SPACE, floats(6, 1, 2, 3, 2), stride=(2, 1, 3), padding=1, groups=3),
    conv("conv3d no batch", F.conv3d, SPACE[0], floats(5, 3, 2, 3, 2), batch=False),
    conv("conv3d.padding same", F.conv3d, SPACE, floats(5, 3, 2, 3, 4), padding="same"),
    whole_halves(conv("conv_transpose1d", F.conv_transpose1d, LINE, floats(3, 5, 2), floats(5))),
    conv(
        "conv_transpose1d all",
        F.conv_transpose1d,
        LINE,
        floats(3, 2, 4),
        floats(6),
        stride=3,
        padding=1,
        output_padding=2,
        groups=3,
        dilation=2,
    ),
    conv("conv_transpose1d no batch", F.conv_transpose1d, LINE[0], floats(3, 5, 2), batch=False),
    whole_halves(conv("conv_transpose2d.input", F.conv_transpose2d, PLANE, floats(3, 5, 2, 3), floats(5))),
    conv(
        "conv_transpose2d.input all",
        F.conv_transpose2d,
        PLANE,
        floats(3, 2, 3, 2),
        floats(6),
        stride=(2, 3),
        padding=(1, 0),
        output_padding=(1, 2),
        groups=3,
        dilation=(1, 2),
    ),
    conv(
        "conv_transpose2d.input dilation above stride",
        F.conv_transpose2d,
        PLANE,
        floats(3, 5, 2, 3),
        padding=2,
        output_padding=2,
        dilation=3,
    ),
    OpCase(
        "conv_transpose2d.input new places",
        F.conv_transpose2d,
        (PLANE, floats(3, 5, 2, 3)),
        {"output_padding": 2, "dilation": 3},
        dynamic=None,
        refused="output padding [2, 2] reaches",
    ),
    whole_halves(conv("conv_transpose3d.input", F.conv_transpose3d, SPACE, floats(3, 5, 2, 3, 2), floats(5))),
    conv(
        "conv_transpose3d.input all",
        F.conv_transpose3d,
        SPACE,
        floats(3, 2, 2, 3, 2),
        stride=2,
        padding=1,
        output_padding=1,
        groups=3,
    ),
    conv(
        "convolution",
        lambda x, w, b: torch.convolution(x, w, b, [2, 1], [1, 0], [1, 2], False, [0, 0], 1),
        PLANE,
        floats(5, 3, 2, 3),
        floats(5),
    ),
    conv(
        "convolution transposed",
        lambda x, w: torch.convolution(x, w, None, [2, 1], [1, 0], [1, 2], True, [1, 0], 3),
        PLANE,
        floats(3, 5, 2, 3),
    ),
]
