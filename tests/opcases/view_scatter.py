"""Writes through views in their functional form."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import torch
from torch import slice_scatter

from opcases._case import OpCase, floats, ints

__all__ = ["CASES"]

ALL = (torch.float32, torch.float64, torch.float16, torch.int64, torch.int32, torch.uint8, torch.bool)
X = floats(5, 7, 11)
SMALL = [{5: 3, 7: 4, 11: 6}, {5: 4, 7: 13, 11: 3}]
aten = torch.ops.aten


def sliced(words: str, dim: int, start: int | None, end: int | None, step: int = 1) -> OpCase:
    """Twice the slice is written over the slice."""

    def write(x: torch.Tensor) -> torch.Tensor:
        return slice_scatter(x, aten.slice(x, dim, start, end, step) * 2, dim, start, end, step)

    return OpCase(f"slice_scatter {words}", write, (X,), resized=SMALL)


def runtime(words: str, write: Callable[..., torch.Tensor], *others: torch.Tensor) -> OpCase:
    return OpCase(f"slice_scatter {words}", write, (X, *others), resized=SMALL[:1])


def member(words: str, dim: int, index: int) -> OpCase:
    def write(x: torch.Tensor) -> torch.Tensor:
        return torch.select_scatter(x, x.select(dim, index) * 2, dim, index)

    return OpCase(f"select_scatter {words}", write, (X,), resized=SMALL)


def across(words: str, shape: tuple[int, ...], *where: int, dynamic: str | None = "all") -> OpCase:
    def write(x: torch.Tensor) -> torch.Tensor:
        return torch.diagonal_scatter(x, x.diagonal(*where) * 2, *where)

    return OpCase(f"diagonal_scatter {words}", write, (floats(*shape),), dynamic=dynamic)


def from_size(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    start = y.shape[0] - 2
    return slice_scatter(x, aten.slice(x, 1, start, y.shape[0]) * 2, 1, start, y.shape[0])


def from_end(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return slice_scatter(x, aten.slice(x, 2, -y.shape[0], -1) * 2, 2, -y.shape[0], -1)


def every_size(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return slice_scatter(x, aten.slice(x, 2, 1, None, y.shape[0]) * 2, 2, 1, None, y.shape[0])


CASES = [
    OpCase(
        "slice_scatter",
        lambda x, y: torch.slice_scatter(x, y, 0, 1, 3),
        (X, floats(2, 7, 11, seed=1)),
        dynamic=[[0, 1, 2], [1, 2]],
        resized=SMALL,
        dtypes=ALL,
    ),
    OpCase(
        "slice_scatter mixed",
        lambda x, y: torch.slice_scatter(x, y, 0, 1, 3),
        (X, ints(0, 9, 2, 7, 11)),
        dynamic=None,
    ),
    sliced("whole", 1, None, None),
    sliced("front", 1, 0, 2),
    sliced("back", -1, 2, None),
    sliced("negative", 1, -3, -1),
    sliced("start from behind", 2, -100, 5),
    sliced("end from behind", 2, 1, -2),
    sliced("oversize", 0, 1, 100),
    sliced("oversize negative", 0, -100, 2),
    sliced("beyond", 0, 100, 200),
    sliced("reversed", 1, 3, 1),
    sliced("reversed negative", 1, -1, -3),
    sliced("step", -1, 1, None, 2),
    sliced("step from behind", 1, -4, -1, 2),
    sliced("step over all", 0, None, None, 100),
    sliced("step on nothing", 0, 100, None, 2),
    OpCase(
        "slice_scatter static",
        lambda x: aten.slice_scatter(x, x[:, -3:6] * 2, 1, -3, 6),
        (X,),
        dynamic=None,
    ),
    OpCase(
        "slice_scatter static step",
        lambda x: aten.slice_scatter(x, x[::2] * 2, 0, None, None, 2),
        (X,),
        dynamic=None,
    ),
    OpCase(
        "slice_scatter empty", lambda x: aten.slice_scatter(x, x[:, 1:] * 2, 1, 1), (X[:0],), dynamic=None
    ),
    runtime("runtime", from_size, floats(3)),
    runtime("runtime from behind", from_end, floats(3)),
    dataclasses.replace(runtime("runtime step", every_size, floats(3)), since=10),
    OpCase(
        "select_scatter",
        lambda x, y: torch.select_scatter(x, y, 1, 2),
        (X, floats(5, 11, seed=1)),
        dtypes=ALL,
        resized=SMALL,
    ),
    member("first", 0, 0),
    member("last", -1, -1),
    member("negative", 1, -2),
    OpCase("select_scatter static", lambda x: torch.select_scatter(x, x[4] * 2, 0, 4), (X,), dynamic=None),
    OpCase("select_scatter 1-d", lambda x: torch.select_scatter(x, x[0] * 2, 0, 0), (floats(5),)),
    OpCase(
        "select_scatter runtime",
        lambda x: torch.select_scatter(x, x[..., x.shape[0] - 3] * 2, 2, x.shape[0] - 3),
        (X,),
        resized=SMALL[:1],
    ),
    OpCase(
        "diagonal_scatter",
        lambda x, y: torch.diagonal_scatter(x, y),
        (floats(5, 7), floats(5, seed=1)),
        dtypes=ALL,
        resized=[{5: 3, 7: 11}],
    ),
    across("above", (5, 7), 2),
    across("below", (5, 7), -3),
    across("beyond", (5, 7), 100),
    across("axes", (5, 7, 11), 1, -1, 0),
    across("static", (5, 7, 11), -1, 0, 2, dynamic=None),
    across("static beyond", (5, 7), -9, dynamic=None),
    OpCase(
        "as_strided_scatter",
        lambda x, y: torch.as_strided_scatter(x, y, (2, 2), (1, 2)),
        (X, floats(2, 2)),
        dynamic=[[0, 1, 2], []],
        resized=SMALL[:1],
    ),
]
