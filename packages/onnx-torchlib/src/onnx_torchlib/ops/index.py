"""Indexing with tensors."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir
from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import rank_of

from onnx_torchlib import Op, translator

__all__ = ["index"]


@translator("aten::index.Tensor")
def index(op: Op, self: Value, indices: Sequence[Value | None]) -> Value:
    """index.Tensor(Tensor self, Tensor?[] indices) -> Tensor"""
    if any(i is not None and i.dtype == ir.DataType.BOOL for i in indices):
        op.refuse("an index is a bool mask")
    given = [axis for axis, i in enumerate(indices) if i is not None]
    present = [i for i in indices if i is not None]
    if len(given) == 1:
        return op.Gather(self, present[0], axis=given[0])
    rank = rank_of(op, self)
    contiguous = given == list(range(given[0], given[0] + len(given)))
    rest = [axis for axis in range(rank) if axis not in given]
    turned = op.Transpose(self, perm=[*given, *rest]) if given != list(range(len(given))) else self
    spread = _broadcast(op, present)
    width = rank_of(op, spread[0])
    columns = op.Concat(*(op.Unsqueeze(op.cast(i, ir.DataType.INT64), [-1]) for i in spread), axis=-1)
    gathered = op.GatherND(turned, columns)
    if not contiguous or given[0] == 0:
        return gathered
    # The indexed axes of one block stand where the block stood, not in front.
    before = list(range(width, width + given[0]))
    after = list(range(width + given[0], width + len(rest)))
    return op.Transpose(gathered, perm=[*before, *range(width), *after])


def _broadcast(op: Op, values: Sequence[Value]) -> list[Value]:
    if all(v.shape is not None and v.shape == values[0].shape for v in values):
        return list(values)
    shape = op.Shape(values[0])
    if len(values) > 1:
        zeros = [op.Mul(v, 0) for v in values]
        total = zeros[0]
        for zero in zeros[1:]:
            total = op.Add(total, zero)
        shape = op.Shape(total)
    return [op.Expand(v, shape) for v in values]
