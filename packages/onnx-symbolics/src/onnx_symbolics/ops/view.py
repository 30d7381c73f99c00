"""The same elements in another shape."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import reshape

from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["unsqueeze", "view"]


@symbolic("aten::view", "aten::reshape")
def view(g: SymbolicContext, self: Value, size: Sequence[SymInt]) -> Value:
    """view(Tensor(a) self, SymInt[] size) -> Tensor(a)"""
    return reshape(g, self, size)


@symbolic("aten::unsqueeze")
def unsqueeze(g: SymbolicContext, self: Value, dim: int) -> Value:
    """unsqueeze(Tensor(a) self, int dim) -> Tensor(a)"""
    return g.Unsqueeze(self, [dim])
