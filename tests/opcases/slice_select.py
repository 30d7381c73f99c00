"""Slices and selected members of an axis."""

from __future__ import annotations

import torch

from opcases._case import OpCase, floats

__all__ = ["CASES"]

ALL = (torch.float32, torch.float64, torch.float16, torch.int64, torch.int32, torch.uint8, torch.bool)
X = floats(5, 7, 11)
SMALL = [{5: 3, 7: 4, 11: 6}, {5: 4, 7: 13, 11: 3}]


def sliced(name: str, function: object, *others: torch.Tensor, since: int | None = None) -> OpCase:
    assert callable(function)
    return OpCase(f"slice.Tensor {name}", function, (X, *others), resized=SMALL, since=since)


CASES = [
    OpCase("slice.Tensor", lambda x: x[1:3], (X,), dtypes=ALL),
    sliced("negative", lambda x: x[:, -3:-1]),
    sliced("oversize", lambda x: x[1:100]),
    sliced("oversize negative", lambda x: x[-100:2]),
    sliced("beyond", lambda x: torch.ops.aten.slice(x, 0, 100, 200)),
    sliced("reversed", lambda x: torch.ops.aten.slice(x, 0, 2, 1)),
    sliced("step", lambda x: x[..., 1::2]),
    sliced("large step", lambda x: x[::100]),
    sliced("none", lambda x: torch.ops.aten.slice(x, 1, None, None)),
    sliced("negative axis", lambda x: torch.ops.aten.slice(x, -1, 1, 3, 1)),
    sliced("runtime end", lambda x, y: x[:, : y.shape[0]], floats(3)),
    sliced("runtime start", lambda x, y: x[:, y.shape[0] :], floats(3)),
    sliced("runtime negative start", lambda x: x[..., -x.shape[0] :]),
    sliced("runtime middle", lambda x: x[..., x.shape[0] // 2 : x.shape[1] - 1]),
    sliced("runtime step", lambda x: x[..., :: x.shape[0]], since=10),
    OpCase("slice.Tensor static", lambda x: x[1:-1, :5], (X,), dynamic=None),
    OpCase("slice.Tensor whole", lambda x: x[0:7], (floats(7),), dynamic=None),
    OpCase("slice.Tensor of nothing", lambda x: x[:, 1:], (X[:0],), dynamic=None),
    OpCase("slice.Tensor non-contiguous", lambda x: x.mT[:, 1:3], (X,), resized=SMALL),
    OpCase("select.int", lambda x: x[:, 1], (X,), resized=SMALL, dtypes=ALL),
    OpCase("select.int negative", lambda x: x[..., -2], (X,), resized=SMALL),
    OpCase("select.int negative axis", lambda x: torch.select(x, -2, 2), (X,), resized=SMALL),
    OpCase("select.int 1-d", lambda x: x[1], (floats(5),), resized=SMALL),
    OpCase("select.int runtime", lambda x: x[..., x.shape[0] - 3], (X,), resized=SMALL[:1]),
    OpCase("narrow", lambda x: torch.narrow(x, 1, 1, 2), (X,), resized=SMALL, dtypes=ALL),
    OpCase("narrow negative", lambda x: torch.narrow(x, -1, -2, 2), (X,), resized=SMALL),
    OpCase("narrow none", lambda x: torch.narrow(x, 0, 1, 0), (X,), resized=SMALL),
    OpCase("narrow static", lambda x: torch.narrow(x, -1, -2, 2), (X,), dynamic=None),
    OpCase("narrow runtime", lambda x: torch.narrow(x, 2, 1, x.shape[0] - 1), (X,), resized=SMALL[:1]),
]
