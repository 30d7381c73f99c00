"""Writing at places that index tensors name."""

from __future__ import annotations

import dataclasses

import torch

from opcases._case import OpCase, bools, floats, ints

__all__ = ["CASES"]

ALL = (torch.float32, torch.float64, torch.float16, torch.int64, torch.int32, torch.uint8, torch.bool)
# Every index is in range for the smallest size that an indexed axis takes.
X = floats(5, 7, 11)
SMALL = [{5: 3, 7: 4, 11: 6, 2: 1, 13: 17}, {5: 4, 7: 3, 11: 3, 2: 3, 13: 1}]
H, J, K = torch.tensor([2, -2]), torch.tensor([0, -1]), torch.tensor([1, 0])
WIDE = torch.arange(13)[:, None] % 3
TWICE = torch.tensor([1, -2, 1])
put = torch.ops.aten.index_put


def case(
    name: str,
    x: torch.Tensor,
    indices: list[torch.Tensor | None],
    values: torch.Tensor,
    accumulate: bool = False,
    dtypes: tuple[torch.dtype, ...] = (),
    dynamic: str | None = "all",
) -> OpCase:
    """Sizes of the values that are sizes of the indices or of ``x`` change with them."""
    resized = SMALL if dynamic else None
    args = (x, indices, values, accumulate)
    return OpCase(f"index_put {name}", put, args, dynamic=dynamic, resized=resized, dtypes=dtypes)


def masked(
    name: str,
    x: torch.Tensor,
    indices: list[torch.Tensor | None],
    values: torch.Tensor,
    accumulate: bool = False,
    dtypes: tuple[torch.dtype, ...] = (),
) -> OpCase:
    return OpCase(f"index_put {name}", put, (x, indices, values, accumulate), dtypes=dtypes)


def fixed(name: str, function: object, *args: object, dtypes: tuple[torch.dtype, ...] = ()) -> OpCase:
    assert callable(function)
    return OpCase(name, function, args, dynamic=None, dtypes=dtypes)


MASK = bools(5, 7)
# Whole numbers, whose sums are the same in whichever precision they are added up.
WHOLE = (X * 5).round()
TRUE = int(MASK.sum())

_ROWS = [
    case("first axis", X, [H], floats(2, 7, 11), dtypes=ALL),
    case("add", WHOLE, [H], WHOLE[:2], True, dtypes=ALL),
    case("add twice at one place", WHOLE, [TWICE], WHOLE[:3], True, dynamic=None, dtypes=ALL),
    case("second axis", X, [None, H], floats(5, 2, 11)),
    case("last axis", X, [None, None, H.int()], floats(5, 7, 2)),
    case("number", X, [None, H], floats()),
    case("row", X, [None, H], floats(11)),
    case("row of ones", X, [None, H], floats(5, 1, 11)),
    case("two axes", X, [H, J], floats(2, 11)),
    case("last two axes", X, [None, H, J], floats(5, 2)),
    case("two axes apart", X, [H, None, J], floats(2, 7)),
    case("two axes apart add", X, [H, None, J], floats(7), True),
    case("all axes", X, [H, J, K], floats(2)),
    case("all axes add twice", X, [TWICE, TWICE, TWICE], floats(3), True, dynamic=None),
    case("middle of four", floats(3, 5, 7, 11), [None, H, J], floats(11), dynamic=None),
    case("broadcast", X, [None, K, WIDE], floats(5, 13, 2)),
    case("broadcast apart", X, [WIDE, None, K], floats(13, 2, 7)),
    case("2-d index", X, [None, WIDE.int()], floats(5, 13, 1, 11)),
    case("0-d beside 1-d", X, [None, torch.tensor(-2), J], floats(5, 2)),
    case("0-d", X, [None, torch.tensor(-2)], floats(5, 11)),
    case("0-d both", X, [torch.tensor(1), torch.tensor(-2)], floats(11)),
    case("0-d all", X, [torch.tensor(1), torch.tensor(-2), torch.tensor(0)], floats()),
    case("none", X, [None, H[:0]], floats(5, 0, 11), dynamic=None),
    case("none of two axes", X, [H[:0], J[:0]], floats(), True, dynamic=None),
    case("into nothing", X[:0], [None, H, J], floats(0, 2), dynamic=None),
    masked("mask number", X, [bools(5)], torch.tensor(2.0), dtypes=ALL),
    masked("mask number add", X, [bools(5)], torch.tensor(2.0), True, dtypes=ALL),
    masked("mask row", X, [None, bools(7)], floats(11)),
    masked("mask one", X, [MASK], floats(1, 11)),
    masked("mask one of last two axes", X, [None, bools(7, 11)], floats(5, 1)),
    masked("mask one of last two axes add", X, [None, bools(7, 11)], floats(1), True),
    masked("mask of all axes", X, [bools(5, 7, 11)], floats()),
    masked("mask of nothing", X, [bools(5, 7) & False], floats(11)),
    fixed("index_put mask bytes", put, X, [bools(5).byte()], floats(11)),
    fixed("index_put mask each", put, X, [MASK], floats(TRUE, 11), dtypes=ALL),
    fixed("index_put mask each add", put, X, [MASK], floats(TRUE, 11), True, dtypes=ALL),
    fixed("index_put mask each of last two axes", put, X.permute(2, 0, 1), [None, MASK], floats(11, TRUE)),
    fixed("index_put mask beside index", put, X, [bools(5), torch.tensor([2])], floats(11)),
    fixed("index_put mask none of many", put, X, [MASK & False], floats(0, 11)),
    fixed("index_put computed", lambda x, i: put(x + 1, [i], x.sum()), X, H),
    OpCase("index_add", torch.index_add, (X, 0, TWICE.abs(), floats(3, 7, 11)), dynamic=None, dtypes=ALL),
    OpCase(
        "index_add alpha", torch.index_add, (X, -1, H.abs(), floats(5, 7, 2)), {"alpha": -3}, resized=SMALL
    ),
    OpCase(
        "index_add int32 index",
        torch.index_add,
        (
            X.int(),
            1,
            TWICE.abs().int(),
            X.int()[:, :3],
        ),
        {"alpha": 2},
        dynamic=None,
    ),
    OpCase("index_add 0-d", torch.index_add, (floats(), 0, torch.tensor(0), floats(seed=1))),
    OpCase("index_add none", torch.index_add, (X, 1, H[:0], floats(5, 0, 11)), dynamic=None),
    OpCase("index_copy", torch.index_copy, (X, 0, J.abs(), floats(2, 7, 11)), resized=SMALL, dtypes=ALL),
    OpCase("index_copy last axis", torch.index_copy, (X, -1, J.abs(), floats(5, 7, 2)), resized=SMALL),
    OpCase("index_copy 0-d", torch.index_copy, (floats(), 0, torch.tensor(0), floats(seed=1))),
    OpCase("index_fill.int_Scalar", torch.index_fill, (X, 0, H, 2), resized=SMALL, dtypes=ALL),
    OpCase("index_fill.int_Scalar fraction", torch.index_fill, (X.int(), -1, H, 2.75), resized=SMALL),
    OpCase("index_fill.int_Scalar by 0-d", torch.index_fill, (X, 1, torch.tensor(2), 0.5), resized=SMALL),
    OpCase("index_fill.int_Scalar 0-d", torch.index_fill, (floats(), 0, torch.tensor([0]), 2)),
    OpCase("index_fill.int_Scalar none", torch.index_fill, (X, 1, H[:0], 2), dynamic=None),
    OpCase("index_fill.int_Tensor", torch.index_fill, (X, -2, H, floats()), resized=SMALL, dtypes=ALL),
    OpCase(
        "index_fill.int_Tensor cast", torch.index_fill, (X.int(), 1, H, torch.tensor(2.75)), resized=SMALL
    ),
    OpCase("masked_scatter", torch.masked_scatter, (X, bools(5, 7, 11), floats(5, 7, 11)), dtypes=ALL),
    OpCase("masked_scatter broadcast mask", torch.masked_scatter, (X, bools(7, 1), floats(5, 7, 11))),
    OpCase("masked_scatter broadcast self", torch.masked_scatter, (floats(11), bools(7, 11), floats(7, 11))),
    OpCase("masked_scatter 0-d", torch.masked_scatter, (floats(), torch.tensor(True), floats(3))),
    OpCase("masked_scatter none", torch.masked_scatter, (X, bools(5, 7, 11) & False, floats(5, 7, 11))),
    fixed("put", torch.put, X, ints(-3, 3, 1, 1), floats(1), dtypes=ALL),
    fixed("put add", torch.put, WHOLE, torch.tensor([[1, -384], [0, 2]]), WHOLE[0, 0, :4], True, dtypes=ALL),
]

# ScatterElements adds from opset 16; what a mask alone adds to is chosen by Where.
_CHOSEN = ("index_put mask number add", "index_put mask one of last two axes add")
CASES = [
    dataclasses.replace(row, since=16) if row.args[-1] is True and row.name not in _CHOSEN else row
    for row in _ROWS
]
