"""Tensors made from nothing but a shape and a number."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, SymInt, Value
from onnx_ir_capture.emit import as_tensor, dtype_of, filled, filled_like, promoted_dtype, size_vector
from onnx_symbolics import SymbolicContext, symbolic

__all__ = [
    "empty",
    "empty_like",
    "empty_strided",
    "eye",
    "eye_m",
    "fill",
    "full",
    "full_like",
    "new_empty",
    "new_empty_strided",
    "new_full",
    "new_ones",
    "new_zeros",
    "ones",
    "ones_like",
    "scalar_tensor",
    "tensor",
    "zero",
    "zeros",
    "zeros_like",
]

# torch.empty promises no content, so zeros serve; what is written over it later is what counts.
_EMPTY = 0


@symbolic("aten::zeros")
def zeros(
    g: SymbolicContext,
    size: Sequence[SymInt],
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """zeros(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return filled(g, size, 0, dtype or g.expected_dtype() or ir.DataType.FLOAT)


@symbolic("aten::ones")
def ones(
    g: SymbolicContext,
    size: Sequence[SymInt],
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """ones(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return filled(g, size, 1, dtype or g.expected_dtype() or ir.DataType.FLOAT)


@symbolic("aten::empty.memory_format")
def empty(
    g: SymbolicContext,
    size: Sequence[SymInt],
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
    memory_format: str | None = None,
) -> Value:
    """empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"""
    return filled(g, size, _EMPTY, dtype or g.expected_dtype() or ir.DataType.FLOAT)


@symbolic("aten::empty_strided")
def empty_strided(
    g: SymbolicContext,
    size: Sequence[SymInt],
    stride: Sequence[SymInt],
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """empty_strided(SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return empty(g, size, dtype)


@symbolic("aten::new_empty_strided")
def new_empty_strided(
    g: SymbolicContext,
    self: Value,
    size: Sequence[SymInt],
    stride: Sequence[SymInt],
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return empty(g, size, dtype or dtype_of(g, self))


@symbolic("aten::full")
def full(
    g: SymbolicContext,
    size: Sequence[SymInt],
    fill_value: Scalar,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """full(SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return filled(
        g, size, fill_value, dtype or g.expected_dtype() or promoted_dtype([fill_value], g.default_float)
    )


@symbolic("aten::new_zeros")
def new_zeros(
    g: SymbolicContext,
    self: Value,
    size: Sequence[SymInt],
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """new_zeros(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return filled(g, size, 0, dtype or dtype_of(g, self))


@symbolic("aten::new_ones")
def new_ones(
    g: SymbolicContext,
    self: Value,
    size: Sequence[SymInt],
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """new_ones(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return filled(g, size, 1, dtype or dtype_of(g, self))


@symbolic("aten::new_empty")
def new_empty(
    g: SymbolicContext,
    self: Value,
    size: Sequence[SymInt],
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return filled(g, size, _EMPTY, dtype or dtype_of(g, self))


@symbolic("aten::new_full")
def new_full(
    g: SymbolicContext,
    self: Value,
    size: Sequence[SymInt],
    fill_value: Scalar,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """new_full(Tensor self, SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return filled(g, size, fill_value, dtype or dtype_of(g, self))


@symbolic("aten::zeros_like")
def zeros_like(
    g: SymbolicContext,
    self: Value,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
    memory_format: str | None = None,
) -> Value:
    """zeros_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"""
    return filled_like(g, self, 0, dtype or dtype_of(g, self))


@symbolic("aten::ones_like")
def ones_like(
    g: SymbolicContext,
    self: Value,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
    memory_format: str | None = None,
) -> Value:
    """ones_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"""
    return filled_like(g, self, 1, dtype or dtype_of(g, self))


@symbolic("aten::empty_like")
def empty_like(
    g: SymbolicContext,
    self: Value,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
    memory_format: str | None = None,
) -> Value:
    """empty_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"""
    return filled_like(g, self, _EMPTY, dtype or dtype_of(g, self))


@symbolic("aten::full_like")
def full_like(
    g: SymbolicContext,
    self: Value,
    fill_value: Scalar,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
    memory_format: str | None = None,
) -> Value:
    """full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"""
    return filled_like(g, self, fill_value, dtype or dtype_of(g, self))


@symbolic("aten::fill.Scalar", "aten::fill.Tensor")
def fill(
    g: SymbolicContext,
    self: Value,
    value: Scalar,
) -> Value:
    """fill.Scalar(Tensor self, Scalar value) -> Tensor"""
    return filled_like(g, self, value, dtype_of(g, self))


@symbolic("aten::zero")
def zero(
    g: SymbolicContext,
    self: Value,
) -> Value:
    """zero(Tensor self) -> Tensor"""
    return filled_like(g, self, 0, dtype_of(g, self))


@symbolic("aten::scalar_tensor")
def scalar_tensor(
    g: SymbolicContext,
    s: Scalar,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """scalar_tensor(Scalar s, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return as_tensor(g, s, dtype or g.expected_dtype() or ir.DataType.FLOAT)


def _dtype_of_number(number: Scalar) -> ir.DataType:
    """The dtype of a tensor of the number: a float is of torch's default dtype."""
    if isinstance(number, ir.Value):
        return number.dtype if number.dtype in (ir.DataType.INT64, ir.DataType.BOOL) else ir.DataType.FLOAT
    if isinstance(number, bool):
        return ir.DataType.BOOL
    return ir.DataType.INT64 if isinstance(number, int) else ir.DataType.FLOAT


@symbolic("aten::tensor.float", "aten::tensor.int", "aten::tensor.bool")
def tensor(
    g: SymbolicContext,
    t: Scalar,
    dtype: ir.DataType | None = None,
    device: str | None = None,
    requires_grad: bool = False,
) -> Value:
    """tensor.float(float t, *, ScalarType? dtype=None, Device? device=None, bool requires_grad=False) -> Tensor"""
    return as_tensor(g, t, dtype or _dtype_of_number(t))


@symbolic("aten::eye")
def eye(
    g: SymbolicContext,
    n: SymInt,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """eye(SymInt n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return eye_m(g, n, n, dtype)


@symbolic("aten::eye.m")
def eye_m(
    g: SymbolicContext,
    n: SymInt,
    m: SymInt,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """eye.m(SymInt n, SymInt m, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    zeros = g.Expand(g.constant(0), size_vector(g, [n, m]))
    return g.cast(g.EyeLike(zeros), dtype or g.expected_dtype() or ir.DataType.FLOAT)
