"""Logic on bools and on the bits of integers."""

from __future__ import annotations

from collections.abc import Callable

import onnx_ir as ir

from onnx_ir_capture.contracts import Operand, Value
from onnx_ir_capture.emit import dtype_of, is_unsigned, promote
from onnx_symbolics import SymbolicContext, symbolic

__all__ = [
    "bitwise_and",
    "bitwise_left_shift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "logical_and",
    "logical_or",
    "logical_xor",
]

_UNSIGNED = {
    8: ir.DataType.UINT8,
    16: ir.DataType.UINT16,
    32: ir.DataType.UINT32,
    64: ir.DataType.UINT64,
}


@symbolic(
    "aten::bitwise_and.Tensor",
    "aten::bitwise_and.Scalar",
    "aten::bitwise_and.Scalar_Tensor",
    "aten::__and__.Tensor",
    "aten::__and__.Scalar",
)
def bitwise_and(g: SymbolicContext, self: Operand, other: Operand) -> Value:
    """bitwise_and.Tensor(Tensor self, Tensor other) -> Tensor"""
    left, right = promote(g, self, other)
    return g.And(left, right) if left.dtype == ir.DataType.BOOL else g.BitwiseAnd(left, right)


@symbolic(
    "aten::bitwise_or.Tensor",
    "aten::bitwise_or.Scalar",
    "aten::bitwise_or.Scalar_Tensor",
    "aten::__or__.Tensor",
    "aten::__or__.Scalar",
)
def bitwise_or(g: SymbolicContext, self: Operand, other: Operand) -> Value:
    """bitwise_or.Tensor(Tensor self, Tensor other) -> Tensor"""
    left, right = promote(g, self, other)
    return g.Or(left, right) if left.dtype == ir.DataType.BOOL else g.BitwiseOr(left, right)


@symbolic(
    "aten::bitwise_xor.Tensor",
    "aten::bitwise_xor.Scalar",
    "aten::bitwise_xor.Scalar_Tensor",
    "aten::__xor__.Tensor",
    "aten::__xor__.Scalar",
)
def bitwise_xor(g: SymbolicContext, self: Operand, other: Operand) -> Value:
    """bitwise_xor.Tensor(Tensor self, Tensor other) -> Tensor"""
    left, right = promote(g, self, other)
    return g.Xor(left, right) if left.dtype == ir.DataType.BOOL else g.BitwiseXor(left, right)


@symbolic("aten::bitwise_not")
def bitwise_not(g: SymbolicContext, self: Value) -> Value:
    """bitwise_not(Tensor self) -> Tensor"""
    return g.Not(self) if self.dtype == ir.DataType.BOOL else g.BitwiseNot(self)


@symbolic(
    "aten::bitwise_left_shift.Tensor",
    "aten::bitwise_left_shift.Tensor_Scalar",
    "aten::__lshift__.Tensor",
    "aten::__lshift__.Scalar",
)
def bitwise_left_shift(g: SymbolicContext, self: Operand, other: Operand) -> Value:
    """bitwise_left_shift.Tensor(Tensor self, Tensor other) -> Tensor"""
    left, right = promote(g, self, other)
    width, bits, count = _unsigned(g, left, right)
    shifted = g.cast(g.BitShift(bits, count, direction="LEFT"), dtype_of(g, left))
    return g.Where(_past(g, right, width), 0, shifted)


@symbolic(
    "aten::bitwise_right_shift.Tensor",
    "aten::bitwise_right_shift.Tensor_Scalar",
    "aten::__rshift__.Tensor",
    "aten::__rshift__.Scalar",
)
def bitwise_right_shift(g: SymbolicContext, self: Operand, other: Operand) -> Value:
    """bitwise_right_shift.Tensor(Tensor self, Tensor other) -> Tensor"""
    left, right = promote(g, self, other)
    dtype = dtype_of(g, left)
    width, bits, count = _unsigned(g, left, right)
    past = _past(g, right, width)
    shifted = g.cast(g.BitShift(bits, count, direction="RIGHT"), dtype)
    if is_unsigned(dtype):
        return g.Where(past, 0, shifted)
    # Shifting the complement of a negative number brings in the ones that its sign asks for.
    _, complement, _ = _unsigned(g, g.BitwiseNot(left), right)
    filled = g.BitwiseNot(g.cast(g.BitShift(complement, count, direction="RIGHT"), dtype))
    negative = g.Less(left, 0)
    everything = g.Where(negative, g.constant(-1, dtype), g.constant(0, dtype))
    return g.Where(past, everything, g.Where(negative, filled, shifted))


def _unsigned(g: SymbolicContext, value: Value, count: Value) -> tuple[int, Value, Value]:
    """The width in bits, and value and count as unsigned integers; BitShift takes no others at every opset."""
    width = dtype_of(g, value).itemsize * 8
    kept = g.Where(_past(g, count, int(width)), 0, count)
    return int(width), g.cast(value, _UNSIGNED[int(width)]), g.cast(kept, _UNSIGNED[int(width)])


def _past(g: SymbolicContext, count: Value, width: int) -> Value:
    """Where a count is negative or no less than the width: C++ leaves such shifts open, torch does not."""
    beyond = g.GreaterOrEqual(count, width)
    return beyond if is_unsigned(dtype_of(g, count)) else g.Or(g.Less(count, 0), beyond)


@symbolic("aten::logical_and")
def logical_and(g: SymbolicContext, self: Value, other: Value) -> Value:
    """logical_and(Tensor self, Tensor other) -> Tensor"""
    return _logical(g, g.And, self, other)


@symbolic("aten::logical_or")
def logical_or(g: SymbolicContext, self: Value, other: Value) -> Value:
    """logical_or(Tensor self, Tensor other) -> Tensor"""
    return _logical(g, g.Or, self, other)


@symbolic("aten::logical_xor")
def logical_xor(g: SymbolicContext, self: Value, other: Value) -> Value:
    """logical_xor(Tensor self, Tensor other) -> Tensor"""
    return _logical(g, g.Xor, self, other)


def _logical(
    g: SymbolicContext, function: Callable[[Value, Value], Value], self: Value, other: Value
) -> Value:
    return function(g.cast(self, ir.DataType.BOOL), g.cast(other, ir.DataType.BOOL))
