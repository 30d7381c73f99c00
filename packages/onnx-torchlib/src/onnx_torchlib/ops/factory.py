"""Tensors made from nothing but a shape and a number."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir
from onnx_ir_capture.contracts import Number, SymInt, Value
from onnx_ir_capture.emit import size_vector

from onnx_torchlib import Op, translator

__all__ = ["new_ones", "zeros"]


def filled(op: Op, size: Sequence[SymInt], number: Number, dtype: ir.DataType) -> Value:
    """A tensor of shape ``size`` whose every element is ``number``."""
    if not size:
        return op.constant(number, dtype)
    return op.Expand(op.constant(number, dtype), size_vector(op, size))


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
    return filled(op, size, 1, dtype or self.dtype or ir.DataType.FLOAT)


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
    return filled(op, size, 0, dtype or ir.DataType.FLOAT)
