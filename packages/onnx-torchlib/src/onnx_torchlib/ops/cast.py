"""Changes of dtype, and copies."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import dtype_of
from onnx_torchlib import Op, translator

__all__ = [
    "clone",
    "contiguous",
    "copy",
    "detach",
    "to_copy",
    "to_device",
    "to_dtype",
    "to_dtype_layout",
    "to_other",
    "to_prim_device",
    "to_prim_dtype",
    "type_as",
]


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


@translator("aten::to.other")
def to_other(
    op: Op,
    self: Value,
    other: Value,
    non_blocking: bool = False,
    copy: bool = False,
    memory_format: str | None = None,
) -> Value:
    """to.other(Tensor(a) self, Tensor other, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)"""
    return op.cast(self, dtype_of(op, other))


@translator("aten::to.prim_dtype")
def to_prim_dtype(
    op: Op, self: Value, dtype: ir.DataType | None = None, non_blocking: bool = False, copy: bool = False
) -> Value:
    """to.prim_dtype(Tensor(a) self, int? dtype=None, bool non_blocking=False, bool copy=False) -> Tensor(b|a)"""
    return self if dtype is None else op.cast(self, dtype)


@translator("aten::to.prim_Device")
def to_prim_device(
    op: Op,
    self: Value,
    device: str | None,
    dtype: ir.DataType | None = None,
    non_blocking: bool = False,
    copy: bool = False,
) -> Value:
    """to.prim_Device(Tensor(a) self, Device? device, int? dtype=None, bool non_blocking=False, bool copy=False) -> Tensor(b|a)"""
    return self if dtype is None else op.cast(self, dtype)


@translator("aten::_to_copy")
def to_copy(
    op: Op,
    self: Value,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
    non_blocking: bool = False,
    memory_format: str | None = None,
) -> Value:
    """_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor"""
    return self if dtype is None else op.cast(self, dtype)


@translator("aten::type_as")
def type_as(op: Op, self: Value, other: Value) -> Value:
    """type_as(Tensor self, Tensor other) -> Tensor"""
    return op.cast(self, dtype_of(op, other))


@translator("aten::contiguous")
def contiguous(op: Op, self: Value, memory_format: str = "contiguous_format") -> Value:
    """contiguous(Tensor(a) self, *, MemoryFormat memory_format=0) -> Tensor(a)"""
    return self


@translator("aten::clone")
def clone(op: Op, self: Value, memory_format: str | None = None) -> Value:
    """clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor"""
    return self


@translator(
    "aten::detach",
    "aten::alias",
    "aten::lift_fresh",
    "aten::lift_fresh_copy",
    "aten::detach_copy",
    "aten::alias_copy",
)
def detach(op: Op, self: Value) -> Value:
    """detach(Tensor(a) self) -> Tensor(a)"""
    return self


@translator("aten::copy")
def copy(op: Op, self: Value, src: Value, non_blocking: bool = False) -> Value:
    """copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor"""
    value = op.cast(src, dtype_of(op, self))
    if self.shape is not None and self.shape == value.shape:
        return value
    return op.Expand(value, op.Shape(self))
