"""Arithmetic on tensors and numbers, with torch's type promotion."""

from __future__ import annotations

import onnx_ir as ir
from onnx_ir_capture.contracts import Operand, Scalar, Value
from onnx_ir_capture.emit import promote

from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["add", "mul"]


@symbolic("aten::add.Tensor", "aten::add.Scalar")
def add(g: SymbolicContext, self: Operand, other: Operand, alpha: Scalar = 1) -> Value:
    """add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"""
    left, right = promote(g, self, other)
    if alpha != 1:
        (factor,) = promote(g, alpha, dtype=right.dtype)
        right = g.Mul(right, factor)
    return g.Add(left, right)


@symbolic("aten::mul.Tensor", "aten::mul.Scalar")
def mul(g: SymbolicContext, self: Operand, other: Operand) -> Value:
    """mul.Tensor(Tensor self, Tensor other) -> Tensor"""
    left, right = promote(g, self, other)
    return g.And(left, right) if left.dtype == ir.DataType.BOOL else g.Mul(left, right)
