"""Windows that slide along axes, taken apart and put together."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import columns_of_windows, images_of_columns, windows_along
from onnx_torchlib import Op, translator

__all__ = ["col2im", "im2col", "unfold"]


@translator("aten::unfold", "aten::unfold_copy")
def unfold(op: Op, self: Value, dimension: int, size: int, step: int) -> Value:
    """unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)"""
    return windows_along(op, self, dimension, size, step)


@translator("aten::im2col")
def im2col(
    op: Op,
    self: Value,
    kernel_size: Sequence[int],
    dilation: Sequence[int],
    padding: Sequence[int],
    stride: Sequence[int],
) -> Value:
    """im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) -> Tensor"""
    return columns_of_windows(op, self, kernel_size, dilation, padding, stride)


@translator("aten::col2im")
def col2im(
    op: Op,
    self: Value,
    output_size: Sequence[SymInt],
    kernel_size: Sequence[int],
    dilation: Sequence[int],
    padding: Sequence[int],
    stride: Sequence[int],
) -> Value:
    """col2im(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) -> Tensor"""
    return images_of_columns(op, self, output_size, kernel_size, dilation, padding, stride)
