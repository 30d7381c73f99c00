"""Pooling."""

from __future__ import annotations

import dataclasses
import math

import torch
import torch.nn.functional as F

from opcases._case import OpCase, floats, ints

__all__ = ["CASES"]

LINE, PLANE, SPACE = floats(2, 3, 13), floats(2, 3, 11, 13), floats(2, 3, 7, 11, 13)
LARGER = [{2: 1, 3: 2, 7: 19, 11: 17, 13: 23}, {2: 5, 3: 1, 7: 12, 11: 14, 13: 9}]
FLOATS = (torch.float32, torch.float64, torch.float16)
HALVES = (torch.float32, torch.float16)


def pool(name: str, function: object, *args: object, **kwargs: object) -> OpCase:
    assert callable(function)
    return OpCase(name, function, args, kwargs, resized=LARGER)


def from_opset(since: int, case: OpCase) -> OpCase:
    return dataclasses.replace(case, since=since)


def as_dtypes(case: OpCase, *dtypes: torch.dtype) -> OpCase:
    return dataclasses.replace(case, dtypes=dtypes)


HOLE = PLANE.index_put(
    (torch.tensor(1), torch.tensor(2), torch.tensor(5), torch.tensor(6)), torch.tensor(math.nan)
)
"""A picture with one NaN."""
NAN_PASSED = "ONNX Runtime's MaxPool passes NaN over, and ONNX does not say what it does with it"
BLIND = floats(2, 3, 5, 7).index_fill(1, torch.tensor(1), -math.inf)
"""A channel of minus infinities alone."""

EDGES = ((2, 1, 0), (2, 2, 1), (2, 3, 1), (2, 4, 0), (3, 2, 1), (3, 4, 1))


def edges() -> list[OpCase]:
    """Last windows that start inside the input, in the padding, and beyond it."""
    rows = []
    for kernel, stride, padding in (*EDGES, (1, 2, 0), (3, 3, 1), (3, 5, 1)):
        word = f"ceil {kernel} {stride} {padding}"
        # Only ceil_mode knows the end of an axis of any size; it came with opset 10.
        cases = [
            pool(f"max_pool2d {word}", F.max_pool2d, PLANE, kernel, stride, padding, 1, True),
            pool(f"avg_pool2d {word}", F.avg_pool2d, PLANE, kernel, stride, padding, True),
            pool(
                f"avg_pool2d without padding {word}",
                F.avg_pool2d,
                PLANE,
                kernel,
                stride,
                padding,
                True,
                False,
            ),
        ]
        rows += [from_opset(10, case) for case in cases]
        divisor = pool(
            f"avg_pool2d divisor {word}", F.avg_pool2d, PLANE, kernel, stride, padding, True, True, 5
        )
        rows.append(divisor)
    return rows


def adaptive() -> list[OpCase]:
    rows = []
    for size in (1, 2, 5, 13, 17):
        rows += [
            pool(f"adaptive_avg_pool1d {size}", F.adaptive_avg_pool1d, LINE, size),
            pool(f"adaptive_avg_pool2d {size}", F.adaptive_avg_pool2d, PLANE, (size, 3)),
            pool(f"adaptive_avg_pool3d {size}", F.adaptive_avg_pool3d, SPACE, (2, size, 3)),
            pool(f"adaptive_avg_pool2d no batch {size}", F.adaptive_avg_pool2d, PLANE[0], size),
        ]
    return rows


def dropped() -> list[OpCase]:
    """Fixed sizes for which torch drops a last window that ONNX's shape inference counts."""
    rows = []
    for height, width, kernel, stride, padding in (
        (5, 6, 2, 3, 0),
        (7, 6, 3, 3, 1),
        (6, 8, 1, 2, 0),
        (4, 6, 2, 5, 1),
    ):
        plane = floats(1, 2, height, width)
        word = f"dropped {height} {width} {kernel} {stride} {padding}"
        given = (plane, kernel, stride, padding)
        # Before ceil_mode no form counts a window that reaches beyond the padding.
        since = 10 if (height, width) == (7, 6) else None
        rows += [
            OpCase(f"max_pool2d {word}", F.max_pool2d, (*given, 1, True), dynamic=None),
            OpCase(f"avg_pool2d {word}", F.avg_pool2d, (*given, True), dynamic=None, since=since),
            OpCase(f"avg_pool2d without padding {word}", F.avg_pool2d, (*given, True, False), dynamic=None),
        ]
    return rows


INFINITE = PLANE.masked_fill(PLANE > 1.5, math.inf)
STATIC = floats(2, 3, 12, 10)

CASES = [
    # torch.export fixes the length that max_pool1d is called with.
    OpCase("max_pool1d", F.max_pool1d, (LINE, 3), dynamic=[[0, 1]], dtypes=FLOATS),
    OpCase("max_pool1d all", F.max_pool1d, (LINE, 3, 2, 1, 2, True), dynamic=[[0, 1]], since=10),
    OpCase("max_pool1d no batch", F.max_pool1d, (LINE[0], 3, 2), dynamic=[[0]]),
    as_dtypes(pool("max_pool2d", F.max_pool2d, PLANE, 3), *FLOATS),
    from_opset(10, pool("max_pool2d all", F.max_pool2d, PLANE, (2, 3), (3, 2), (1, 0), (1, 2), True)),
    from_opset(10, pool("max_pool2d dilated padding", F.max_pool2d, PLANE, 3, 2, 1, 3)),
    pool("max_pool2d no batch", F.max_pool2d, PLANE[0], (2, 3)),
    pool("max_pool2d infinities", F.max_pool2d, INFINITE, 3, 2, 1),
    from_opset(12, pool("max_pool2d bytes", F.max_pool2d, ints(0, 255, 2, 3, 11, 13).to(torch.uint8), 2)),
    from_opset(
        12, pool("max_pool2d signed bytes", F.max_pool2d, ints(-128, 0, 2, 3, 11, 13).to(torch.int8), 3, 2, 1)
    ),
    dataclasses.replace(
        pool("max_pool2d integers", F.max_pool2d, ints(0, 9, 2, 3, 11, 13), 2), refused="does not take INT64"
    ),
    OpCase("max_pool2d NaN", F.max_pool2d, (HOLE, 3, 2, 1), dynamic=None).xfail(NAN_PASSED),
    OpCase("max_pool2d_with_indices NaN", F.max_pool2d, (HOLE, 3, 2, 1, 1, False, True), dynamic=None).xfail(
        NAN_PASSED
    ),
    OpCase("max_pool2d minus infinity", F.max_pool2d, (BLIND, 3, 2), dynamic=None),
    OpCase("max_pool2d minus infinity padded", F.max_pool2d, (BLIND, 3, 2, 1), dynamic=None).xfail(
        "ONNX Runtime's MaxPool pads with the lowest float32, and gives it for windows of minus infinities"
    ),
    OpCase("max_pool2d empty batch", F.max_pool2d, (PLANE[:0], 2), dynamic=None),
    pool("max_pool3d", F.max_pool3d, SPACE, 3),
    from_opset(
        10, pool("max_pool3d all", F.max_pool3d, SPACE, (2, 3, 1), (3, 2, 1), (1, 0, 0), (1, 2, 1), True)
    ),
    pool("max_pool2d_with_indices", torch.ops.aten.max_pool2d_with_indices, PLANE, [2, 3], [2, 1], [1, 1]),
    pool("max_pool1d_with_indices", torch.ops.aten.max_pool1d_with_indices, LINE, [3], [2], [1]),
    pool("max_pool3d_with_indices", torch.ops.aten.max_pool3d_with_indices, SPACE, [2, 3, 2], [1, 2, 1]),
    pool("max_pool3d_with_indices no batch", torch.ops.aten.max_pool3d_with_indices, SPACE[0], [2]),
    pool("max_pool2d_with_indices no batch", torch.ops.aten.max_pool2d_with_indices, PLANE[0], [3, 3]),
    as_dtypes(pool("avg_pool1d", F.avg_pool1d, LINE, 3), *HALVES),
    from_opset(10, pool("avg_pool1d all", F.avg_pool1d, LINE, 3, 2, 1, True, False)),
    pool("avg_pool1d no batch", F.avg_pool1d, LINE[0], 3, 2),
    as_dtypes(pool("avg_pool2d", F.avg_pool2d, PLANE, 3), *HALVES),
    pool("avg_pool2d padding counted", F.avg_pool2d, PLANE, (2, 3), (3, 2), (1, 1)),
    pool("avg_pool2d padding not counted", F.avg_pool2d, PLANE, (2, 3), (3, 2), (1, 1), False, False),
    pool("avg_pool2d divisor", F.avg_pool2d, PLANE, (2, 3), (3, 2), (1, 1), False, False, 7),
    pool("avg_pool2d negative divisor", F.avg_pool2d, PLANE, 2, divisor_override=-3),
    pool("avg_pool2d no batch", F.avg_pool2d, PLANE[0], (2, 3)),
    pool("avg_pool3d", F.avg_pool3d, SPACE, 3),
    pool("avg_pool3d all", F.avg_pool3d, SPACE, (2, 3, 1), (3, 2, 1), (1, 0, 0), True, False, 4),
    *edges(),
    *dropped(),
    *adaptive(),
    as_dtypes(pool("adaptive_avg_pool2d one", F.adaptive_avg_pool2d, PLANE, 1), *FLOATS),
    as_dtypes(pool("adaptive_avg_pool2d general", F.adaptive_avg_pool2d, PLANE, 3), *FLOATS),
    pool("adaptive_avg_pool2d infinities", F.adaptive_avg_pool2d, INFINITE, 4),
    OpCase("adaptive_avg_pool2d even", F.adaptive_avg_pool2d, (STATIC, (3, 5)), dynamic=[[0]], dtypes=HALVES),
    OpCase("adaptive_avg_pool2d uneven", F.adaptive_avg_pool2d, (STATIC, (5, 5)), dynamic=[[0]]),
    OpCase("adaptive_avg_pool2d one axis", F.adaptive_avg_pool2d, (STATIC, (None, 1)), dynamic=[[0]]),
    OpCase("adaptive_avg_pool2d one axis kept", F.adaptive_avg_pool2d, (PLANE, (None, 4))),
]
