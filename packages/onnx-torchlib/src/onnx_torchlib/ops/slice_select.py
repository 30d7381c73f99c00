"""Slices and selected members of an axis."""

from __future__ import annotations

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import narrowed, sliced
from onnx_torchlib import Op, translator

__all__ = ["narrow", "select", "slice_"]


@translator("aten::slice.Tensor", "aten::slice_copy.Tensor")
def slice_(
    op: Op,
    self: Value,
    dim: int = 0,
    start: SymInt | None = None,
    end: SymInt | None = None,
    step: SymInt = 1,
) -> Value:
    """slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor(a)"""
    return sliced(op, self, dim, start, end, step)


@translator("aten::select.int", "aten::select_copy.int")
def select(op: Op, self: Value, dim: int, index: SymInt) -> Value:
    """select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)"""
    return op.Gather(self, op.constant(index) if isinstance(index, int) else index, axis=dim)


@translator("aten::narrow", "aten::narrow_copy")
def narrow(op: Op, self: Value, dim: int, start: SymInt, length: SymInt) -> Value:
    """narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)"""
    return narrowed(op, self, dim, start, length)
