"""Tensors joined along an axis, and split along one."""

from __future__ import annotations

import torch

from opcases._case import OpCase, bools, floats, ints

__all__ = ["CASES"]

ALL = (torch.float32, torch.float64, torch.float16, torch.int64, torch.int32, torch.uint8, torch.bool)
X = floats(6, 7, 11)
PAIR = [floats(2, 3), floats(5, 3, seed=1)]
MIXED = [ints(0, 9, 2, 3), floats(5, 3), bools(7, 3)]


def fixed(
    name: str, function: object, *dims: int, tensor: torch.Tensor = X, since: int | None = None
) -> OpCase:
    """A row in which only these dimensions change: torch.export fixes how many pieces there are."""
    assert callable(function)
    return OpCase(name, function, (tensor,), dynamic=[dims], resized=[{6: 2, 7: 3, 11: 5}], since=since)


CASES = [
    OpCase("cat", torch.cat, (PAIR,), dtypes=ALL),
    OpCase("cat negative axis", torch.cat, ([floats(2, 3), floats(2, 5)], -1)),
    OpCase("cat mixed dtypes", torch.cat, (MIXED,)),
    OpCase("cat halves and doubles", torch.cat, ([floats(2).half(), floats(3).double()],)),
    OpCase("cat one", torch.cat, ([floats(2, 3)],)),
    OpCase("cat old empty", lambda x: torch.cat([torch.zeros(0), x, torch.zeros(0)], 1), (floats(2, 3),)),
    OpCase(
        "cat old empty of another dtype", lambda x: torch.cat([torch.zeros(0).double(), x]), (floats(2, 3),)
    ),
    OpCase("cat empty", torch.cat, ([floats(0, 3), floats(2, 3)],), dynamic=None),
    OpCase("cat all empty", torch.cat, ([floats(0), floats(0)],), dynamic=None),
    OpCase("cat non-contiguous", lambda x, y: torch.cat([x.t(), y]), (floats(3, 2), floats(5, 3))),
    OpCase("concat", torch.concat, (PAIR,)),
    OpCase("concatenate", torch.concatenate, (PAIR,)),
    OpCase("stack", torch.stack, ([floats(2, 3), floats(2, 3, seed=1)],), dtypes=ALL),
    OpCase("stack negative axis", torch.stack, ([floats(2, 3), floats(2, 3, seed=1)], -1)),
    OpCase("stack negative middle axis", torch.stack, ([floats(2, 3), floats(2, 3, seed=1)], -2)),
    OpCase("stack 0-d", torch.stack, ([floats(), floats(seed=1)],)),
    OpCase("stack one", torch.stack, ([floats(2, 3)], 1)),
    OpCase("stack mixed dtypes", torch.stack, ([ints(0, 9, 2, 3), floats(2, 3)],)),
    OpCase("hstack", torch.hstack, ([floats(2, 3), floats(2, 5)],)),
    OpCase("hstack 1-d", torch.hstack, ([floats(2), floats(3)],)),
    OpCase("hstack 0-d", torch.hstack, ([floats(), floats(seed=1)],)),
    OpCase("vstack", torch.vstack, ([floats(2, 3), floats(3)],)),
    OpCase("vstack 0-d", torch.vstack, ([floats(), floats(seed=1)],)),
    OpCase("dstack", torch.dstack, ([floats(2, 3), floats(2, 3, 5)],)),
    OpCase("dstack 1-d", torch.dstack, ([floats(2), floats(2, seed=1)],)),
    OpCase("column_stack", torch.column_stack, ([floats(2), floats(2, 3)],)),
    OpCase("column_stack 0-d", torch.column_stack, ([floats(), floats(seed=1)],)),
    fixed("split.Tensor", lambda x: torch.split(x, 3, 1), 0, 2),
    OpCase("split.Tensor dtypes", lambda x: torch.split(x, 2), (X,), dynamic=[[1, 2]], dtypes=ALL),
    fixed("split.Tensor negative axis", lambda x: torch.split(x, 4, -1), 0, 1),
    fixed("split.Tensor one", lambda x: torch.split(x, 100, 1), 0, 2),
    OpCase("split.Tensor of nothing", lambda x: torch.split(x, 3, 1), (X[:0],), dynamic=None),
    fixed("split.Tensor runtime", lambda x: torch.split(x, x.shape[0] // 2), 0, since=13),
    fixed("split_with_sizes", lambda x: torch.split(x, [1, 4, 2], 1), 0, 2),
    fixed("split_with_sizes none", lambda x: torch.ops.aten.split_with_sizes(x, [0, 11], -1), 0, 1),
    OpCase(
        "split_with_sizes runtime",
        lambda x: torch.split(x, [2, x.shape[0] - 2]),
        (X,),
        dynamic=[[0]],
        resized=[{6: 5}],
        since=13,
    ),
    fixed("split.sizes", lambda x: torch.ops.aten.split.sizes(x, [1, 6], 1), 0, 2),
    fixed("chunk", lambda x: torch.chunk(x, 3, 1), 0, 2),
    fixed("chunk fewer", lambda x: torch.chunk(x, 4, 0), 1, 2),
    fixed("chunk even", lambda x: torch.chunk(x, 3, -3), 1, 2),
    OpCase(
        "chunk dynamic", lambda x: torch.chunk(x, 2), (X,), dynamic=[[0]], resized=[{6: 5}, {6: 8}], since=13
    ),
    fixed("unsafe_split.Tensor", lambda x: torch.unsafe_split(x, 3, 1), 0, 2),
    fixed("unsafe_chunk", lambda x: torch.unsafe_chunk(x, 3, 1), 0, 2),
    fixed("unsafe_split_with_sizes", lambda x: torch.unsafe_split_with_sizes(x, [3, 4], 1), 0, 2),
    fixed("unbind.int", lambda x: torch.unbind(x, 1), 0, 2),
    OpCase("unbind.int dtypes", torch.unbind, (floats(2, 3),), dynamic=[[1]], dtypes=ALL),
    fixed("unbind.int negative axis", lambda x: torch.unbind(x, -2), 0, 2),
    OpCase("unbind.int one", torch.unbind, (floats(1, 3),)),
    OpCase("unbind.int 1-d", torch.unbind, (floats(3),), dynamic=None),
    fixed("tensor_split.sections", lambda x: torch.tensor_split(x, 3, 1), 0, 2),
    OpCase(
        "tensor_split.sections dynamic",
        lambda x: torch.tensor_split(x, 4),
        (X,),
        dynamic=[[0]],
        resized=[{6: 5}, {6: 11}, {6: 3}],
        since=13,
    ),
    fixed("tensor_split.indices", lambda x: torch.tensor_split(x, (2, 3, 100), 1), 0, 2),
    fixed("tensor_split.indices dynamic", lambda x: torch.tensor_split(x, (1, -1)), 0, 1, 2),
    fixed("tensor_split.indices back", lambda x: torch.tensor_split(x, (5, 2), -1), 0, 1),
    OpCase(
        "pad_sequence",
        lambda *xs: torch.ops.aten.pad_sequence(xs, True, -1.5),
        (floats(5, 2), floats(3, 2), floats(7, 2)),
        dynamic=None,
    ),
    OpCase(
        "pad_sequence of integers",
        lambda *xs: torch.ops.aten.pad_sequence(xs, True, -1.5),
        (ints(0, 9, 5, 2), ints(0, 9, 3, 2), ints(0, 9, 7, 2)),
        dynamic=None,
    ),
    OpCase(
        "pad_sequence dynamic",
        lambda *xs: torch.ops.aten.pad_sequence(xs),
        (floats(5, 2), floats(3, 2), floats(7, 2)),
        dynamic=[[0], [0], [0]],
        since=18,
    ),
    OpCase(
        "pad_sequence left",
        lambda *xs: torch.ops.aten.pad_sequence(xs, True, 0.0, "left"),
        (floats(5), floats(3)),
        dynamic=None,
    ),
]
