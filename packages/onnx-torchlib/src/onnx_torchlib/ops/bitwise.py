"""Logic on bools and on the bits of integers."""

from __future__ import annotations

from collections.abc import Callable

import onnx_ir as ir

from onnx_ir_capture.contracts import Operand, Value
from onnx_ir_capture.emit import dtype_of, is_unsigned, promote
from onnx_torchlib import Op, translator

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


@translator(
    "aten::bitwise_and.Tensor",
    "aten::bitwise_and.Scalar",
    "aten::bitwise_and.Scalar_Tensor",
    "aten::__and__.Tensor",
    "aten::__and__.Scalar",
)
def bitwise_and(op: Op, self: Operand, other: Operand) -> Value:
    """bitwise_and.Tensor(Tensor self, Tensor other) -> Tensor"""
    left, right = promote(op, self, other)
    return op.And(left, right) if left.dtype == ir.DataType.BOOL else op.BitwiseAnd(left, right)


@translator(
    "aten::bitwise_or.Tensor",
    "aten::bitwise_or.Scalar",
    "aten::bitwise_or.Scalar_Tensor",
    "aten::__or__.Tensor",
    "aten::__or__.Scalar",
)
def bitwise_or(op: Op, self: Operand, other: Operand) -> Value:
    """bitwise_or.Tensor(Tensor self, Tensor other) -> Tensor"""
    left, right = promote(op, self, other)
    return op.Or(left, right) if left.dtype == ir.DataType.BOOL else op.BitwiseOr(left, right)


@translator(
    "aten::bitwise_xor.Tensor",
    "aten::bitwise_xor.Scalar",
    "aten::bitwise_xor.Scalar_Tensor",
    "aten::__xor__.Tensor",
    "aten::__xor__.Scalar",
)
def bitwise_xor(op: Op, self: Operand, other: Operand) -> Value:
    """bitwise_xor.Tensor(Tensor self, Tensor other) -> Tensor"""
    left, right = promote(op, self, other)
    return op.Xor(left, right) if left.dtype == ir.DataType.BOOL else op.BitwiseXor(left, right)


@translator("aten::bitwise_not")
def bitwise_not(op: Op, self: Value) -> Value:
    """bitwise_not(Tensor self) -> Tensor"""
    return op.Not(self) if self.dtype == ir.DataType.BOOL else op.BitwiseNot(self)


@translator(
    "aten::bitwise_left_shift.Tensor",
    "aten::bitwise_left_shift.Tensor_Scalar",
    "aten::__lshift__.Tensor",
    "aten::__lshift__.Scalar",
)
def bitwise_left_shift(op: Op, self: Operand, other: Operand) -> Value:
    """bitwise_left_shift.Tensor(Tensor self, Tensor other) -> Tensor"""
    left, right = promote(op, self, other)
    width, bits, count = _unsigned(op, left, right)
    shifted = op.cast(op.BitShift(bits, count, direction="LEFT"), dtype_of(op, left))
    return op.Where(_past(op, right, width), 0, shifted)


@translator(
    "aten::bitwise_right_shift.Tensor",
    "aten::bitwise_right_shift.Tensor_Scalar",
    "aten::__rshift__.Tensor",
    "aten::__rshift__.Scalar",
)
def bitwise_right_shift(op: Op, self: Operand, other: Operand) -> Value:
    """bitwise_right_shift.Tensor(Tensor self, Tensor other) -> Tensor"""
    left, right = promote(op, self, other)
    dtype = dtype_of(op, left)
    width, bits, count = _unsigned(op, left, right)
    past = _past(op, right, width)
    shifted = op.cast(op.BitShift(bits, count, direction="RIGHT"), dtype)
    if is_unsigned(dtype):
        return op.Where(past, 0, shifted)
    # Shifting the complement of a negative number brings in the ones that its sign asks for.
    _, complement, _ = _unsigned(op, op.BitwiseNot(left), right)
    filled = op.BitwiseNot(op.cast(op.BitShift(complement, count, direction="RIGHT"), dtype))
    negative = op.Less(left, 0)
    everything = op.Where(negative, op.constant(-1, dtype), op.constant(0, dtype))
    return op.Where(past, everything, op.Where(negative, filled, shifted))


def _unsigned(op: Op, value: Value, count: Value) -> tuple[int, Value, Value]:
    """The width in bits, and value and count as unsigned integers; BitShift takes no others at every opset."""
    width = dtype_of(op, value).itemsize * 8
    kept = op.Where(_past(op, count, int(width)), 0, count)
    return int(width), op.cast(value, _UNSIGNED[int(width)]), op.cast(kept, _UNSIGNED[int(width)])


def _past(op: Op, count: Value, width: int) -> Value:
    """Where a count is negative or no less than the width: C++ leaves such shifts open, torch does not."""
    beyond = op.GreaterOrEqual(count, width)
    return beyond if is_unsigned(dtype_of(op, count)) else op.Or(op.Less(count, 0), beyond)


@translator("aten::logical_and")
def logical_and(op: Op, self: Value, other: Value) -> Value:
    """logical_and(Tensor self, Tensor other) -> Tensor"""
    return _logical(op, op.And, self, other)


@translator("aten::logical_or")
def logical_or(op: Op, self: Value, other: Value) -> Value:
    """logical_or(Tensor self, Tensor other) -> Tensor"""
    return _logical(op, op.Or, self, other)


@translator("aten::logical_xor")
def logical_xor(op: Op, self: Value, other: Value) -> Value:
    """logical_xor(Tensor self, Tensor other) -> Tensor"""
    return _logical(op, op.Xor, self, other)


def _logical(op: Op, function: Callable[[Value, Value], Value], self: Value, other: Value) -> Value:
    return function(op.cast(self, ir.DataType.BOOL), op.cast(other, ir.DataType.BOOL))
