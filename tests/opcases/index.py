"""Indexing with tensors."""

from __future__ import annotations

import torch

from opcases._case import OpCase, bools, floats, ints

__all__ = ["CASES"]

# Every index is in range for the smallest size that an indexed axis takes.
X = floats(5, 7, 11)
SMALL = [{5: 3, 7: 4, 11: 6, 2: 1, 13: 17}, {5: 4, 7: 3, 11: 3, 2: 13, 13: 1}]
H, J, K = ints(-3, 3, 2), ints(-3, 3, 2, seed=1), ints(-3, 3, 2, seed=2)
WIDE = ints(-3, 3, 13, 1)
ALL = (torch.float32, torch.float64, torch.float16, torch.int64, torch.int32, torch.uint8, torch.bool)


def case(name: str, function: object, *tensors: torch.Tensor, dtypes: tuple[torch.dtype, ...] = ()) -> OpCase:
    assert callable(function)
    return OpCase(f"index.Tensor {name}", function, tensors, resized=SMALL, dtypes=dtypes)


def masked(name: str, function: object, *tensors: torch.Tensor) -> OpCase:
    """A row with a mask, whose shape is that of what it covers."""
    assert callable(function)
    return OpCase(f"index.Tensor {name}", function, tensors)


CASES = [
    case("first axis", lambda x, i: x[i], X, H, dtypes=ALL),
    case("second axis", lambda x, i: x[:, i], X, H),
    case("last axis", lambda x, i: x[..., i], X, H),
    case("2-d index", lambda x, i: x[:, i], X, WIDE),
    case("int32", lambda x, i: x[i], X, H.int()),
    case("two axes", lambda x, i, j: x[i, j], X, H, J, dtypes=ALL),
    case("two axes int32 and int64", lambda x, i, j: x[i, j], X, H.int(), J),
    case("last two axes", lambda x, i, j: x[:, i, j], X, H, J),
    case("two axes apart", lambda x, i, j: x[i, :, j], X, H, J),
    case("all axes", lambda x, i, j, k: x[i, j, k], X, H, J, K),
    case("middle of four", lambda x, i, j: x[None].expand(17, -1, -1, -1)[:, i, j], X, H, J),
    case("broadcast", lambda x, i, j: x[i, j], X, H, WIDE),
    case("broadcast last two", lambda x, i, j: x[:, j, i], X, H, WIDE),
    case("broadcast three", lambda x, i, j, k: x[j, i, k], X, H, WIDE, K[:1]),
    case("broadcast apart", lambda x, i, j: x[j, :, i], X, H, WIDE),
    case("0-d beside 1-d", lambda x, i, j: torch.ops.aten.index(x, [None, i, j]), X, torch.tensor(-2), J),
    case("0-d", lambda x, i: torch.ops.aten.index(x, [None, i]), X, torch.tensor(-2)),
    case("0-d both", lambda x, i, j: torch.ops.aten.index(x, [i, j]), X, torch.tensor(1), torch.tensor(-2)),
    case("non-contiguous", lambda x, i: x.transpose(0, 2)[i], X, H),
    case("computed", lambda x, i, j: x[i + 1 - 1, j.unsqueeze(0)], X, H, J),
    OpCase("index.Tensor none", lambda x, i: x[i], (X, H[:0]), dynamic=None),
    OpCase("index.Tensor none of two axes", lambda x, i, j: x[:, i, j], (X, H[:0], J[:0]), dynamic=None),
    OpCase("index.Tensor of nothing", lambda x, i, j: x[:, i, j], (X[:0], H, J), dynamic=None),
    masked("mask", lambda x, m: x[m], X, bools(5)),
    masked("mask second axis", lambda x, m: x[:, m], X, bools(7)),
    masked("mask of two axes", lambda x, m: x[m], X, bools(5, 7)),
    masked("mask of last two axes", lambda x, m: x[:, m], X, bools(7, 11)),
    masked("mask of all axes", lambda x, m: x[m], X, bools(5, 7, 11)),
    masked("mask of nothing", lambda x, m: x[m], X, bools(5, 7) & False),
    masked("mask of nothing on one axis", lambda x, m: x[m], X, bools(5) & False),
    masked(
        "mask apart from 0-d",
        lambda x, m, i: torch.ops.aten.index(x, [m, None, i]),
        X,
        bools(5),
        ints(0, 1, 1),
    ),
    OpCase("index_select", torch.index_select, (X, 1, H.abs()), resized=SMALL, dtypes=ALL),
    OpCase("index_select negative axis", torch.index_select, (X, -1, H.abs()), resized=SMALL),
    OpCase("index_select by int32", torch.index_select, (X, 0, H.abs().int()), resized=SMALL),
    OpCase("index_select 0-d", torch.index_select, (X, 0, torch.tensor(2)), resized=SMALL),
    OpCase("index_select of 0-d", torch.index_select, (floats(), 0, torch.tensor([0]))),
    OpCase("index_select of 0-d by 0-d", torch.index_select, (floats(), 0, torch.tensor(0))),
    OpCase("index_select none", torch.index_select, (X, 0, H[:0]), dynamic=None),
    OpCase("take", torch.take, (X, ints(-9, 9, 2, 13)), resized=SMALL),
    OpCase("take of 0-d", torch.take, (floats(), torch.tensor([0, -1, 0]))),
    OpCase("masked_select", torch.masked_select, (X, bools(5, 7, 11)), dtypes=ALL),
    OpCase("masked_select broadcast mask", torch.masked_select, (X, bools(7, 1))),
    OpCase("masked_select broadcast self", torch.masked_select, (floats(11), bools(7, 11))),
    OpCase("masked_select 0-d", torch.masked_select, (floats(), torch.tensor(True))),
]
