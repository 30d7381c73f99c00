"""Tensors made from nothing but a shape and a number."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, SymInt, Value
from onnx_ir_capture.emit import as_tensor, dtype_of, filled, filled_like, promoted_dtype, size_vector
from onnx_torchlib import Op, translator

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


@translator("aten::zeros")
def zeros(
    op: Op,
    size: Sequence[SymInt],
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """zeros(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return filled(op, size, 0, dtype or op.expected_dtype() or ir.DataType.FLOAT)


@translator("aten::ones")
def ones(
    op: Op,
    size: Sequence[SymInt],
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """ones(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return filled(op, size, 1, dtype or op.expected_dtype() or ir.DataType.FLOAT)


@translator("aten::empty.memory_format")
def empty(
    op: Op,
    size: Sequence[SymInt],
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
    memory_format: str | None = None,
) -> Value:
    """empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"""
    return filled(op, size, _EMPTY, dtype or op.expected_dtype() or ir.DataType.FLOAT)


@translator("aten::empty_strided")
def empty_strided(
    op: Op,
    size: Sequence[SymInt],
    stride: Sequence[SymInt],
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """empty_strided(SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return empty(op, size, dtype)


@translator("aten::new_empty_strided")
def new_empty_strided(
    op: Op,
    self: Value,
    size: Sequence[SymInt],
    stride: Sequence[SymInt],
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return empty(op, size, dtype or dtype_of(op, self))


@translator("aten::full")
def full(
    op: Op,
    size: Sequence[SymInt],
    fill_value: Scalar,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """full(SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return filled(
        op, size, fill_value, dtype or op.expected_dtype() or promoted_dtype([fill_value], op.default_float)
    )


@translator("aten::new_zeros")
def new_zeros(
    op: Op,
    self: Value,
    size: Sequence[SymInt],
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """new_zeros(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return filled(op, size, 0, dtype or dtype_of(op, self))


@translator("aten::new_ones")
def new_ones(
    op: Op,
    self: Value,
    size: Sequence[SymInt],
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """new_ones(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return filled(op, size, 1, dtype or dtype_of(op, self))


@translator("aten::new_empty")
def new_empty(
    op: Op,
    self: Value,
    size: Sequence[SymInt],
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return filled(op, size, _EMPTY, dtype or dtype_of(op, self))


@translator("aten::new_full")
def new_full(
    op: Op,
    self: Value,
    size: Sequence[SymInt],
    fill_value: Scalar,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """new_full(Tensor self, SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return filled(op, size, fill_value, dtype or dtype_of(op, self))


@translator("aten::zeros_like")
def zeros_like(
    op: Op,
    self: Value,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
    memory_format: str | None = None,
) -> Value:
    """zeros_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"""
    return filled_like(op, self, 0, dtype or dtype_of(op, self))


@translator("aten::ones_like")
def ones_like(
    op: Op,
    self: Value,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
    memory_format: str | None = None,
) -> Value:
    """ones_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"""
    return filled_like(op, self, 1, dtype or dtype_of(op, self))


@translator("aten::empty_like")
def empty_like(
    op: Op,
    self: Value,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
    memory_format: str | None = None,
) -> Value:
    """empty_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"""
    return filled_like(op, self, _EMPTY, dtype or dtype_of(op, self))


@translator("aten::full_like")
def full_like(
    op: Op,
    self: Value,
    fill_value: Scalar,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
    memory_format: str | None = None,
) -> Value:
    """full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"""
    return filled_like(op, self, fill_value, dtype or dtype_of(op, self))


@translator("aten::fill.Scalar", "aten::fill.Tensor")
def fill(
    op: Op,
    self: Value,
    value: Scalar,
) -> Value:
    """fill.Scalar(Tensor self, Scalar value) -> Tensor"""
    return filled_like(op, self, value, dtype_of(op, self))


@translator("aten::zero")
def zero(
    op: Op,
    self: Value,
) -> Value:
    """zero(Tensor self) -> Tensor"""
    return filled_like(op, self, 0, dtype_of(op, self))


@translator("aten::scalar_tensor")
def scalar_tensor(
    op: Op,
    s: Scalar,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """scalar_tensor(Scalar s, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return as_tensor(op, s, dtype or op.expected_dtype() or ir.DataType.FLOAT)


def _dtype_of_number(number: Scalar) -> ir.DataType:
    """The dtype of a tensor of the number: a float is of torch's default dtype."""
    if isinstance(number, ir.Value):
        return number.dtype if number.dtype in (ir.DataType.INT64, ir.DataType.BOOL) else ir.DataType.FLOAT
    if isinstance(number, bool):
        return ir.DataType.BOOL
    return ir.DataType.INT64 if isinstance(number, int) else ir.DataType.FLOAT


@translator("aten::tensor.float", "aten::tensor.int", "aten::tensor.bool")
def tensor(
    op: Op,
    t: Scalar,
    dtype: ir.DataType | None = None,
    device: str | None = None,
    requires_grad: bool = False,
) -> Value:
    """tensor.float(float t, *, ScalarType? dtype=None, Device? device=None, bool requires_grad=False) -> Tensor"""
    return as_tensor(op, t, dtype or _dtype_of_number(t))


@translator("aten::eye")
def eye(
    op: Op,
    n: SymInt,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """eye(SymInt n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return eye_m(op, n, n, dtype)


@translator("aten::eye.m")
def eye_m(
    op: Op,
    n: SymInt,
    m: SymInt,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """eye.m(SymInt n, SymInt m, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    zeros = op.Expand(op.constant(0), size_vector(op, [n, m]))
    return op.cast(op.EyeLike(zeros), dtype or op.expected_dtype() or ir.DataType.FLOAT)
