"""What only scripted code calls: truth of numbers and tensors, the length of a tensor."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["bool_", "is_nonzero", "len_"]


@symbolic("aten::Bool.int", "aten::Bool.float")
def bool_(g: SymbolicContext, a: int | float | bool | Value) -> Value:
    """Bool.int(int a) -> bool"""
    return g.cast(a, ir.DataType.BOOL) if isinstance(a, ir.Value) else g.constant(bool(a), ir.DataType.BOOL)


@symbolic("aten::is_nonzero")
def is_nonzero(g: SymbolicContext, self: Value) -> Value:
    """is_nonzero(Tensor self) -> bool"""
    return g.Reshape(g.cast(self, ir.DataType.BOOL), g.constant([], ir.DataType.INT64))


@symbolic("aten::len.Tensor")
def len_(g: SymbolicContext, t: Value) -> Value:
    """len.Tensor(Tensor t) -> int"""
    return g.Gather(g.Shape(t), g.constant(0, ir.DataType.INT64))
