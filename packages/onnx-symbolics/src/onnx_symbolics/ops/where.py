"""Choices between elements by a mask."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Operand, Scalar, Value
from onnx_ir_capture.emit import as_tensor, dtype_of, promote, rank_of
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["masked_fill", "masked_fill_tensor", "where", "where_nonzero"]


@symbolic("aten::where.self", "aten::where.ScalarSelf", "aten::where.ScalarOther", "aten::where.Scalar")
def where(g: SymbolicContext, condition: Value, self: Operand, other: Operand) -> Value:
    """where.self(Tensor condition, Tensor self, Tensor other) -> Tensor"""
    return g.Where(g.cast(condition, ir.DataType.BOOL), *promote(g, self, other))


@symbolic("aten::where")
def where_nonzero(g: SymbolicContext, condition: Value) -> Sequence[Value]:
    """where(Tensor condition) -> Tensor[]"""
    rank = rank_of(g, condition)
    if rank == 0:
        g.refuse("the places of a 0-d tensor have an axis that the tensor lacks")
    places = g.NonZero(g.cast(condition, ir.DataType.BOOL))
    return [g.Gather(places, g.constant(axis), axis=0) for axis in range(rank)]


@symbolic("aten::masked_fill.Scalar")
def masked_fill(g: SymbolicContext, self: Value, mask: Value, value: Scalar) -> Value:
    """masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor"""
    return g.Where(g.cast(mask, ir.DataType.BOOL), as_tensor(g, value, dtype_of(g, self)), self)


@symbolic("aten::masked_fill.Tensor")
def masked_fill_tensor(g: SymbolicContext, self: Value, mask: Value, value: Value) -> Value:
    """masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor"""
    return g.Where(g.cast(mask, ir.DataType.BOOL), g.cast(value, dtype_of(g, self)), self)
