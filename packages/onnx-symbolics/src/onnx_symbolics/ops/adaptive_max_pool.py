"""Maxima of as many windows as the result is to have."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import adaptive_max_pooled
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d"]


@symbolic("aten::adaptive_max_pool1d")
def adaptive_max_pool1d(g: SymbolicContext, self: Value, output_size: Sequence[int]) -> tuple[Value, Value]:
    """adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)"""
    return adaptive_max_pooled(g, self, 1, output_size)


@symbolic("aten::adaptive_max_pool2d")
def adaptive_max_pool2d(g: SymbolicContext, self: Value, output_size: Sequence[int]) -> tuple[Value, Value]:
    """adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)"""
    return adaptive_max_pooled(g, self, 2, output_size)


@symbolic("aten::adaptive_max_pool3d")
def adaptive_max_pool3d(g: SymbolicContext, self: Value, output_size: Sequence[int]) -> tuple[Value, Value]:
    """adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)"""
    return adaptive_max_pooled(g, self, 3, output_size)
