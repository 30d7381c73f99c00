"""Choices between elements by a mask."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Operand, Scalar, Value
from onnx_ir_capture.emit import as_tensor, dtype_of, promote, rank_of
from onnx_torchlib import Op, translator

__all__ = ["masked_fill", "masked_fill_tensor", "where", "where_nonzero"]


@translator("aten::where.self", "aten::where.ScalarSelf", "aten::where.ScalarOther", "aten::where.Scalar")
def where(op: Op, condition: Value, self: Operand, other: Operand) -> Value:
    """where.self(Tensor condition, Tensor self, Tensor other) -> Tensor"""
    return op.Where(op.cast(condition, ir.DataType.BOOL), *promote(op, self, other))


@translator("aten::where")
def where_nonzero(op: Op, condition: Value) -> Sequence[Value]:
    """where(Tensor condition) -> Tensor[]"""
    rank = rank_of(op, condition)
    if rank == 0:
        op.refuse("the places of a 0-d tensor have an axis that the tensor lacks")
    places = op.NonZero(op.cast(condition, ir.DataType.BOOL))
    return [op.Gather(places, op.constant(axis), axis=0) for axis in range(rank)]


@translator("aten::masked_fill.Scalar")
def masked_fill(op: Op, self: Value, mask: Value, value: Scalar) -> Value:
    """masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor"""
    return op.Where(op.cast(mask, ir.DataType.BOOL), as_tensor(op, value, dtype_of(op, self)), self)


@translator("aten::masked_fill.Tensor")
def masked_fill_tensor(op: Op, self: Value, mask: Value, value: Value) -> Value:
    """masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor"""
    return op.Where(op.cast(mask, ir.DataType.BOOL), op.cast(value, dtype_of(op, self)), self)
