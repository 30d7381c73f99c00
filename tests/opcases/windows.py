"""Windows that slide along axes, taken apart and put together."""

from __future__ import annotations

import torch
from torch.nn import functional as f

from opcases._case import OpCase, floats

__all__ = ["CASES"]

ALL = (torch.float32, torch.float64, torch.float16, torch.int64, torch.int32, torch.uint8, torch.bool)
X = floats(5, 7, 11)
IMAGE = floats(2, 3, 7, 11)
SMALL = [{5: 6, 7: 3, 11: 4}]
IMAGES = [{2: 1, 3: 2, 7: 5, 11: 13}]

CASES = [
    OpCase("unfold", lambda x: x.unfold(1, 3, 2), (X,), resized=SMALL, dtypes=ALL),
    OpCase("unfold last", lambda x: x.unfold(-1, 3, 1), (X,), resized=SMALL),
    OpCase("unfold first", lambda x: x.unfold(0, 2, 5), (X,), resized=SMALL),
    OpCase("unfold static", lambda x: x.unfold(1, 4, 3), (X,), dynamic=None),
    OpCase("unfold all", lambda x: x.unfold(0, 5, 1), (X,), dynamic=None),
    OpCase("unfold twice", lambda x: x.unfold(1, 2, 2).unfold(2, 3, 1), (X,), resized=SMALL),
    OpCase("unfold 0-d", lambda x: x.unfold(0, 1, 1), (floats(),)),
    OpCase(
        "im2col", lambda x: f.unfold(x, 3), (IMAGE,), resized=IMAGES, dtypes=(torch.float32, torch.float64)
    ),
    OpCase(
        "im2col spread",
        lambda x: f.unfold(x, (2, 3), dilation=(3, 2), padding=(1, 2), stride=(2, 3)),
        (IMAGE,),
        resized=IMAGES,
    ),
    OpCase("im2col static", lambda x: f.unfold(x, (2, 3), padding=1), (IMAGE,), dynamic=None),
    OpCase("im2col no batch", lambda x: f.unfold(x, (2, 3)), (IMAGE[0],), resized=IMAGES),
    OpCase("col2im", lambda x: f.fold(x, (5, 7), (2, 3)), (floats(2, 18, 20),), dynamic=[[0]]),
    OpCase(
        "col2im spread",
        lambda x: f.fold(x, (7, 11), (2, 3), dilation=(3, 2), padding=(1, 2), stride=(2, 3)),
        (f.unfold(IMAGE, (2, 3), dilation=(3, 2), padding=(1, 2), stride=(2, 3)),),
        dynamic=[[0]],
    ),
    OpCase("col2im no batch", lambda x: f.fold(x, (5, 7), (2, 3)), (floats(18, 20),), dynamic=None),
    OpCase(
        "col2im dynamic",
        lambda x, y: f.fold(f.unfold(x, 3, padding=1), (x.shape[2], x.shape[3]), 3, padding=1) * y,
        (IMAGE, floats(1)),
        resized=IMAGES,
    ),
]
