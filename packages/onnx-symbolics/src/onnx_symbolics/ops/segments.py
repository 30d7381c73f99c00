"""Reductions of segments of an axis, each as long as a tensor says."""

from __future__ import annotations

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit import reduced_segments
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["segment_reduce"]


@symbolic("aten::segment_reduce", since=16)
def segment_reduce(
    g: SymbolicContext,
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
    return reduced_segments(g, data, reduce, lengths, offsets, axis, initial)
