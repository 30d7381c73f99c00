"""Slices and selected members of an axis."""

from __future__ import annotations

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import size_vector

from onnx_torchlib import Op, translator

__all__ = ["select", "slice_"]

_END = 2**63 - 1


@translator("aten::slice.Tensor")
def slice_(
    op: Op,
    self: Value,
    dim: int = 0,
    start: SymInt | None = None,
    end: SymInt | None = None,
    step: SymInt = 1,
) -> Value:
    """slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor(a)"""
    first = 0 if start is None else start
    last = _END if end is None else end
    if first == 0 and last == _END and step == 1:
        return self
    return op.Slice(self, size_vector(op, [first]), size_vector(op, [last]), [dim], size_vector(op, [step]))


@translator("aten::select.int")
def select(op: Op, self: Value, dim: int, index: SymInt) -> Value:
    """select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)"""
    return op.Gather(self, op.constant(index) if isinstance(index, int) else index, axis=dim)
