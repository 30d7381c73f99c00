"""Copies, and changes of dtype: a value of an ONNX graph has neither memory nor gradient."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import dtype_of
from onnx_symbolics import SymbolicContext, symbolic

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


@symbolic("aten::to.dtype")
def to_dtype(
    g: SymbolicContext,
    self: Value,
    dtype: ir.DataType,
    non_blocking: bool = False,
    copy: bool = False,
    memory_format: str | None = None,
) -> Value:
    """to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)"""
    return g.cast(self, dtype)


@symbolic("aten::to.device")
def to_device(
    g: SymbolicContext,
    self: Value,
    device: str,
    dtype: ir.DataType,
    non_blocking: bool = False,
    copy: bool = False,
    memory_format: str | None = None,
) -> Value:
    """to.device(Tensor(a) self, Device device, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)"""
    return g.cast(self, dtype)


@symbolic("aten::to.dtype_layout")
def to_dtype_layout(
    g: SymbolicContext,
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
    return self if dtype is None else g.cast(self, dtype)


@symbolic("aten::to.other")
def to_other(
    g: SymbolicContext,
    self: Value,
    other: Value,
    non_blocking: bool = False,
    copy: bool = False,
    memory_format: str | None = None,
) -> Value:
    """to.other(Tensor(a) self, Tensor other, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)"""
    return g.cast(self, dtype_of(g, other))


@symbolic("aten::to.prim_dtype")
def to_prim_dtype(
    g: SymbolicContext,
    self: Value,
    dtype: ir.DataType | None = None,
    non_blocking: bool = False,
    copy: bool = False,
) -> Value:
    """to.prim_dtype(Tensor(a) self, int? dtype=None, bool non_blocking=False, bool copy=False) -> Tensor(b|a)"""
    return self if dtype is None else g.cast(self, dtype)


@symbolic("aten::to.prim_Device")
def to_prim_device(
    g: SymbolicContext,
    self: Value,
    device: str | None,
    dtype: ir.DataType | None = None,
    non_blocking: bool = False,
    copy: bool = False,
) -> Value:
    """to.prim_Device(Tensor(a) self, Device? device, int? dtype=None, bool non_blocking=False, bool copy=False) -> Tensor(b|a)"""
    return self if dtype is None else g.cast(self, dtype)


@symbolic("aten::_to_copy")
def to_copy(
    g: SymbolicContext,
    self: Value,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
    non_blocking: bool = False,
    memory_format: str | None = None,
) -> Value:
    """_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor"""
    return self if dtype is None else g.cast(self, dtype)


@symbolic("aten::type_as")
def type_as(g: SymbolicContext, self: Value, other: Value) -> Value:
    """type_as(Tensor self, Tensor other) -> Tensor"""
    return g.cast(self, dtype_of(g, other))


@symbolic("aten::contiguous")
def contiguous(g: SymbolicContext, self: Value, memory_format: str = "contiguous_format") -> Value:
    """contiguous(Tensor(a) self, *, MemoryFormat memory_format=0) -> Tensor(a)"""
    return self


@symbolic("aten::clone")
def clone(g: SymbolicContext, self: Value, memory_format: str | None = None) -> Value:
    """clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor"""
    return self


@symbolic(
    "aten::detach",
    "aten::alias",
    "aten::lift_fresh",
    "aten::lift_fresh_copy",
    "aten::detach_copy",
    "aten::alias_copy",
)
def detach(g: SymbolicContext, self: Value) -> Value:
    """detach(Tensor(a) self) -> Tensor(a)"""
    return self


@symbolic("aten::copy")
def copy(g: SymbolicContext, self: Value, src: Value, non_blocking: bool = False) -> Value:
    """copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor"""
    value = g.cast(src, dtype_of(g, self))
    if self.shape is not None and self.shape == value.shape:
        return value
    return g.Expand(value, g.Shape(self))
