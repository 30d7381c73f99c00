"""Powers."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Operand, Scalar, Value
from onnx_ir_capture.emit import power, power_by_number, promote, promoted_dtype
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["float_power", "float_power_scalar", "pow_tensor_scalar", "pow_tensor_tensor"]


@symbolic("aten::pow.Tensor_Scalar")
def pow_tensor_scalar(g: SymbolicContext, self: Value, exponent: Scalar) -> Value:
    """pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor"""
    return power_by_number(g, self, exponent)


@symbolic("aten::pow.Tensor_Tensor", "aten::pow.Scalar")
def pow_tensor_tensor(g: SymbolicContext, self: Operand, exponent: Value) -> Value:
    """pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor"""
    return power(g, *promote(g, self, exponent))


@symbolic("aten::float_power.Tensor_Tensor", "aten::float_power.Scalar")
def float_power(g: SymbolicContext, self: Operand, exponent: Value) -> Value:
    """float_power.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor"""
    return g.Pow(*(_double(g, operand) for operand in (self, exponent)))


@symbolic("aten::float_power.Tensor_Scalar")
def float_power_scalar(g: SymbolicContext, self: Value, exponent: Scalar) -> Value:
    """float_power.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor"""
    return power_by_number(g, _double(g, self), exponent)


def _double(g: SymbolicContext, operand: Operand) -> Value:
    if promoted_dtype([operand]) in (ir.DataType.COMPLEX64, ir.DataType.COMPLEX128):
        g.refuse("ONNX has no powers of complex numbers")
    return promote(g, operand, dtype=ir.DataType.DOUBLE)[0]
