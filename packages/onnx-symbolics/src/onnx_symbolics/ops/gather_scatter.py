"""Members picked by an index tensor of the result's shape."""

from __future__ import annotations

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import gathered
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["gather"]


@symbolic("aten::gather")
def gather(g: SymbolicContext, self: Value, dim: int, index: Value, sparse_grad: bool = False) -> Value:
    """gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor"""
    return gathered(g, self, dim, index)
