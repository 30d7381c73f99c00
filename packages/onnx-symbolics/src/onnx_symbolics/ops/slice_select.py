"""Slices and selected members of an axis."""

from __future__ import annotations

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import narrowed, sliced
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["narrow", "select", "slice_"]


@symbolic("aten::slice.Tensor", "aten::slice_copy.Tensor")
def slice_(
    g: SymbolicContext,
    self: Value,
    dim: int = 0,
    start: SymInt | None = None,
    end: SymInt | None = None,
    step: SymInt = 1,
) -> Value:
    """slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor(a)"""
    return sliced(g, self, dim, start, end, step)


@symbolic("aten::select.int", "aten::select_copy.int")
def select(g: SymbolicContext, self: Value, dim: int, index: SymInt) -> Value:
    """select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)"""
    return g.Gather(self, g.constant(index) if isinstance(index, int) else index, axis=dim)


@symbolic("aten::narrow", "aten::narrow_copy")
def narrow(g: SymbolicContext, self: Value, dim: int, start: SymInt, length: SymInt) -> Value:
    """narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)"""
    return narrowed(g, self, dim, start, length)
