"""Members picked by an index tensor of the result's shape."""

from __future__ import annotations

from onnx_ir_capture.contracts import Value

from onnx_torchlib import Op, translator

__all__ = ["gather"]


@translator("aten::gather")
def gather(op: Op, self: Value, dim: int, index: Value, sparse_grad: bool = False) -> Value:
    """gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor"""
    return op.GatherElements(self, index, axis=dim)
