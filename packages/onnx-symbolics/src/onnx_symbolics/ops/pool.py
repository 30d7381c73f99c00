"""Pooling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import (
    adaptive_average_pooled,
    average_pooled,
    max_pooled,
    max_pooled_with_places,
)
from onnx_symbolics import SymbolicContext, symbolic

__all__ = [
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "max_pool1d",
    "max_pool1d_with_indices",
    "max_pool2d",
    "max_pool2d_with_indices",
    "max_pool3d",
    "max_pool3d_with_indices",
]


_Sizes: TypeAlias = Sequence[int]
"""One number for each axis that a window slides along, or one for all."""


@symbolic("aten::max_pool1d")
def max_pool1d(
    g: SymbolicContext,
    self: Value,
    kernel_size: _Sizes,
    stride: _Sizes = (),
    padding: _Sizes = (0,),
    dilation: _Sizes = (1,),
    ceil_mode: bool = False,
) -> Value:
    """max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, int[1] dilation=1, bool ceil_mode=False) -> Tensor"""
    return max_pooled(g, self, 1, kernel_size, stride, padding, dilation, ceil_mode)


@symbolic("aten::max_pool2d")
def max_pool2d(
    g: SymbolicContext,
    self: Value,
    kernel_size: _Sizes,
    stride: _Sizes = (),
    padding: _Sizes = (0, 0),
    dilation: _Sizes = (1, 1),
    ceil_mode: bool = False,
) -> Value:
    """max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor"""
    return max_pooled(g, self, 2, kernel_size, stride, padding, dilation, ceil_mode)


@symbolic("aten::max_pool3d")
def max_pool3d(
    g: SymbolicContext,
    self: Value,
    kernel_size: _Sizes,
    stride: _Sizes = (),
    padding: _Sizes = (0, 0, 0),
    dilation: _Sizes = (1, 1, 1),
    ceil_mode: bool = False,
) -> Value:
    """max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> Tensor"""
    return max_pooled(g, self, 3, kernel_size, stride, padding, dilation, ceil_mode)


@symbolic("aten::max_pool2d_with_indices")
def max_pool2d_with_indices(
    g: SymbolicContext,
    self: Value,
    kernel_size: _Sizes,
    stride: _Sizes = (),
    padding: _Sizes = (0, 0),
    dilation: _Sizes = (1, 1),
    ceil_mode: bool = False,
) -> tuple[Value, Value]:
    """max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)"""
    return max_pooled_with_places(g, self, 2, kernel_size, stride, padding, dilation, ceil_mode)


@symbolic("aten::max_pool1d_with_indices")
def max_pool1d_with_indices(
    g: SymbolicContext,
    self: Value,
    kernel_size: _Sizes,
    stride: _Sizes = (),
    padding: _Sizes = (0,),
    dilation: _Sizes = (1,),
    ceil_mode: bool = False,
) -> tuple[Value, Value]:
    """max_pool1d_with_indices(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, int[1] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)"""
    return max_pooled_with_places(g, self, 1, kernel_size, stride, padding, dilation, ceil_mode)


@symbolic("aten::max_pool3d_with_indices")
def max_pool3d_with_indices(
    g: SymbolicContext,
    self: Value,
    kernel_size: _Sizes,
    stride: _Sizes = (),
    padding: _Sizes = (0, 0, 0),
    dilation: _Sizes = (1, 1, 1),
    ceil_mode: bool = False,
) -> tuple[Value, Value]:
    """max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)"""
    return max_pooled_with_places(g, self, 3, kernel_size, stride, padding, dilation, ceil_mode)


@symbolic("aten::avg_pool1d")
def avg_pool1d(
    g: SymbolicContext,
    self: Value,
    kernel_size: _Sizes,
    stride: _Sizes = (),
    padding: _Sizes = (0,),
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Value:
    """avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, bool ceil_mode=False, bool count_include_pad=True) -> Tensor"""
    return average_pooled(g, self, 1, kernel_size, stride, padding, ceil_mode, count_include_pad, None)


@symbolic("aten::avg_pool2d")
def avg_pool2d(
    g: SymbolicContext,
    self: Value,
    kernel_size: _Sizes,
    stride: _Sizes = (),
    padding: _Sizes = (0, 0),
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Value:
    """avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor"""
    return average_pooled(
        g, self, 2, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
    )


@symbolic("aten::avg_pool3d")
def avg_pool3d(
    g: SymbolicContext,
    self: Value,
    kernel_size: _Sizes,
    stride: _Sizes = (),
    padding: _Sizes = (0, 0, 0),
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Value:
    """avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor"""
    return average_pooled(
        g, self, 3, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
    )


@symbolic("aten::adaptive_avg_pool1d")
def adaptive_avg_pool1d(g: SymbolicContext, self: Value, output_size: _Sizes) -> Value:
    """adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor"""
    return adaptive_average_pooled(g, self, 1, output_size)


@symbolic("aten::adaptive_avg_pool2d", "aten::_adaptive_avg_pool2d")
def adaptive_avg_pool2d(g: SymbolicContext, self: Value, output_size: Sequence[SymInt]) -> Value:
    """adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor"""
    return adaptive_average_pooled(g, self, 2, output_size)


@symbolic("aten::adaptive_avg_pool3d", "aten::_adaptive_avg_pool3d")
def adaptive_avg_pool3d(g: SymbolicContext, self: Value, output_size: Sequence[SymInt]) -> Value:
    """adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor"""
    return adaptive_average_pooled(g, self, 3, output_size)
