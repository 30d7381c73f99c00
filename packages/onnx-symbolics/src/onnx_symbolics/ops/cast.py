"""Copies, and changes of dtype: a value of an ONNX graph has neither memory nor gradient."""

from __future__ import annotations

from onnx_ir_capture.contracts import Value
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["clone", "contiguous", "detach"]


@symbolic("aten::contiguous")
def contiguous(g: SymbolicContext, self: Value, memory_format: str = "contiguous_format") -> Value:
    """contiguous(Tensor(a) self, *, MemoryFormat memory_format=0) -> Tensor(a)"""
    return self


@symbolic("aten::clone")
def clone(g: SymbolicContext, self: Value, memory_format: str | None = None) -> Value:
    """clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor"""
    return self


@symbolic("aten::detach", "aten::alias", "aten::lift_fresh", "aten::lift_fresh_copy", "aten::detach_copy")
def detach(g: SymbolicContext, self: Value) -> Value:
    """detach(Tensor(a) self) -> Tensor(a)"""
    return self
