"""Reordered axes."""

from __future__ import annotations

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import normalize_axis, rank_of

from onnx_torchlib import Op, translator

__all__ = ["transpose"]


@translator("aten::transpose.int")
def transpose(op: Op, self: Value, dim0: int, dim1: int) -> Value:
    """transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)"""
    rank = rank_of(op, self)
    if rank == 0:
        return self
    first, second = normalize_axis(dim0, rank), normalize_axis(dim1, rank)
    order = list(range(rank))
    order[first], order[second] = second, first
    return op.Transpose(self, perm=order)
