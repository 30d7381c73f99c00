"""Embeddings summed up by bags."""

from __future__ import annotations

import dataclasses

import torch
import torch.nn.functional as F

from opcases._case import OpCase, floats, ints

__all__ = ["CASES"]

TABLE = floats(11, 3)
INDICES = ints(0, 11, 7)
# The second bag is empty, and so is the last.
OFFSETS = torch.tensor([0, 3, 3, 5, 7])
aten = torch.ops.aten


def bag(name: str, *args: object, **kwargs: object) -> OpCase:
    return OpCase(f"embedding_bag.padding_idx {name}", F.embedding_bag, args, kwargs, dynamic=[[0], []])


def fixed(name: str, *args: object, **kwargs: object) -> OpCase:
    return OpCase(f"embedding_bag.padding_idx {name}", F.embedding_bag, args, kwargs, dynamic=None)


_ROWS = [
    *(bag(f"{mode} rows", ints(0, 11, 5, 2), TABLE, mode=mode) for mode in ("sum", "mean", "max")),
    *(fixed(mode, INDICES, TABLE, OFFSETS, mode=mode) for mode in ("sum", "mean", "max")),
    *(
        fixed(f"{mode} padding", ints(0, 3, 7), TABLE, OFFSETS, mode=mode, padding_idx=1)
        for mode in ("sum", "mean", "max")
    ),
    fixed("padding from the last row", ints(8, 11, 7).int(), TABLE, OFFSETS.int(), padding_idx=-1),
    fixed("weights", INDICES, TABLE.double(), OFFSETS, mode="sum", per_sample_weights=floats(7).double()),
    fixed("last offset", INDICES, TABLE, OFFSETS, mode="sum", include_last_offset=True),
    fixed("half", INDICES, TABLE.half(), OFFSETS),
    fixed("no indices", INDICES[:0], TABLE, OFFSETS[:1]),
    OpCase(
        "embedding_bag",
        lambda w, i, o: aten.embedding_bag(w, i, o)[0],
        (TABLE, INDICES, OFFSETS),
        dynamic=None,
    ),
    OpCase(
        "_embedding_bag_forward_only",
        lambda w, i, o: aten._embedding_bag_forward_only(w, i, o, False, 1)[0],
        (TABLE, INDICES, OFFSETS),
        dynamic=None,
    ),
]

# ScatterElements knows the extrema from opset 18.
CASES = [dataclasses.replace(row, since=18) if "max" in row.name.split() else row for row in _ROWS]
