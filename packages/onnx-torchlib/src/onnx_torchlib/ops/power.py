"""Powers."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Operand, Scalar, Value
from onnx_ir_capture.emit import power, power_by_number, promote, promoted_dtype
from onnx_torchlib import Op, translator

__all__ = ["float_power", "float_power_scalar", "pow_tensor_scalar", "pow_tensor_tensor"]


@translator("aten::pow.Tensor_Scalar")
def pow_tensor_scalar(op: Op, self: Value, exponent: Scalar) -> Value:
    """pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor"""
    return power_by_number(op, self, exponent)


@translator("aten::pow.Tensor_Tensor", "aten::pow.Scalar")
def pow_tensor_tensor(op: Op, self: Operand, exponent: Value) -> Value:
    """pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor"""
    return power(op, *promote(op, self, exponent))


@translator("aten::float_power.Tensor_Tensor", "aten::float_power.Scalar")
def float_power(op: Op, self: Operand, exponent: Value) -> Value:
    """float_power.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor"""
    return op.Pow(*(_double(op, operand) for operand in (self, exponent)))


@translator("aten::float_power.Tensor_Scalar")
def float_power_scalar(op: Op, self: Value, exponent: Scalar) -> Value:
    """float_power.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor"""
    return power_by_number(op, _double(op, self), exponent)


def _double(op: Op, operand: Operand) -> Value:
    if promoted_dtype([operand]) in (ir.DataType.COMPLEX64, ir.DataType.COMPLEX128):
        op.refuse("ONNX has no powers of complex numbers")
    return promote(op, operand, dtype=ir.DataType.DOUBLE)[0]
