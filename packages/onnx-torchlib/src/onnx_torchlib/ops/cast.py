"""Changes of dtype."""

from __future__ import annotations

import onnx_ir as ir
from onnx_ir_capture.contracts import Value

from onnx_torchlib import Op, translator

__all__ = ["to_device", "to_dtype", "to_dtype_layout"]


@translator("aten::to.dtype")
def to_dtype(
    op: Op,
    self: Value,
    dtype: ir.DataType,
    non_blocking: bool = False,
    copy: bool = False,
    memory_format: str | None = None,
) -> Value:
    """to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)"""
    return op.cast(self, dtype)


@translator("aten::to.device")
def to_device(
    op: Op,
    self: Value,
    device: str,
    dtype: ir.DataType,
    non_blocking: bool = False,
    copy: bool = False,
    memory_format: str | None = None,
) -> Value:
    """to.device(Tensor(a) self, Device device, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)"""
    return op.cast(self, dtype)


@translator("aten::to.dtype_layout")
def to_dtype_layout(
    op: Op,
    self: Value,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
    non_blocking: bool = False,
    copy: bool = False,
    memory_format: str | None = None,
) -> Value:
    """to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)"""
    return self if dtype is None else op.cast(self, dtype)
