"""Reductions of segments of an axis, each as long as a tensor says."""

from __future__ import annotations

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit import reduced_segments
from onnx_torchlib import Op, translator

__all__ = ["segment_reduce"]


@translator("aten::segment_reduce")
def segment_reduce(
    op: Op,
    data: Value,
    reduce: str,
    lengths: Value | None = None,
    indices: Value | None = None,
    offsets: Value | None = None,
    axis: int = 0,
    unsafe: bool = False,
    initial: Scalar | None = None,
) -> Value:
    """segment_reduce(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? indices=None, Tensor? offsets=None, int axis=0, bool unsafe=False, Scalar? initial=None) -> Tensor"""
    return reduced_segments(op, data, reduce, lengths, offsets, axis, initial)
