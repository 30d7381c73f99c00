"""How a tensor lies in memory, for the operators that read it by strides.

The dialect has no strides. What it knows of ``as_strided`` and its like is that their tensor lies in memory
row by row, from the start: a front end brings the axes into that order, or refuses the call.
"""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir
import torch
from torch.fx.experimental.symbolic_shapes import statically_known_true

from onnx_ir_capture.dialect import Aliases, GraphBuilder, OpName, Source, scalar_type

__all__ = ["ELSEWHERE", "PART_OF_OTHER", "READS_BY_STRIDES", "in_memory_order", "memory_order"]

READS_BY_STRIDES = frozenset(["aten::as_strided", "aten::as_strided_copy", "aten::as_strided_scatter"])

ELSEWHERE = (
    "it reads by strides a tensor whose elements are not known to lie in memory one after the other; call "
    "contiguous() on it before"
)
PART_OF_OTHER = (
    "it reads from an offset in the memory of which its tensor is a part; leave the offset out, or index the "
    "whole tensor"
)

_PERMUTE = OpName("aten", "permute")

_Size = int | torch.SymInt


def memory_order(sizes: Sequence[_Size], strides: Sequence[_Size]) -> list[int] | None:
    """The axes from the largest stride to the smallest, if elements lie one after the other; else None."""
    axes = list(range(len(sizes)))
    if _is_row_major(sizes, strides, axes):
        return axes
    if not all(_hint(stride) is not None for stride in strides):
        return None
    # Python sorts stably: what has the same stride stays as it is, such as axes of size 1.
    axes.sort(key=lambda axis: -(_hint(strides[axis]) or 0))
    return axes if _is_row_major(sizes, strides, axes) else None


def _is_row_major(sizes: Sequence[_Size], strides: Sequence[_Size], axes: Sequence[int]) -> bool:
    following: _Size = 1
    for axis in reversed(axes):
        if statically_known_true(sizes[axis] == 1):
            continue
        if not statically_known_true(strides[axis] == following):
            return False
        following = following * sizes[axis]
    return True


def _hint(size: _Size) -> int | None:
    if isinstance(size, int):
        return size
    hint = size.node.hint
    return hint if isinstance(hint, int) else None


def in_memory_order(
    builder: GraphBuilder, value: ir.Value, order: Sequence[int], name: str, source: Source | None
) -> ir.Value:
    """``value`` with its axes in ``order``, a view called ``name``; itself where it has that order."""
    if list(order) == sorted(order):
        return value
    shape = None if value.shape is None else ir.Shape([value.shape[axis] for axis in order])
    view = ir.Value(name=name, type=value.type, shape=shape)
    axes = builder.list([builder.constant(axis) for axis in order], scalar_type("int"))
    builder.call(_PERMUTE, [value, axes], [view], Aliases(views=((0, 0),)), source)
    return view
