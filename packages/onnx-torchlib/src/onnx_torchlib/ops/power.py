"""Powers."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Operand, Scalar, Value
from onnx_ir_capture.emit import promote, promoted_dtype
from onnx_torchlib import Op, translator
from onnx_torchlib._dtypes import dtype_of, is_floating

__all__ = ["float_power", "float_power_scalar", "integer_power", "pow_tensor_scalar", "pow_tensor_tensor"]


@translator("aten::pow.Tensor_Scalar")
def pow_tensor_scalar(op: Op, self: Value, exponent: Scalar) -> Value:
    """pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor"""
    dtype = promoted_dtype((self, exponent), op.default_float)
    (base,) = promote(op, self, dtype=dtype)
    if isinstance(exponent, ir.Value | complex):
        return _power(op, base, promote(op, exponent, dtype=dtype)[0])
    if not is_floating(base):
        return integer_power(op, base, int(exponent))
    # What torch's kernels compute for these: sqrt(-inf) is NaN where pow(-inf, 0.5) would be inf, but only
    # the wider dtypes have the kernels.
    wide = dtype in (ir.DataType.FLOAT, ir.DataType.DOUBLE)
    if exponent == 0.5 and wide:
        return op.Sqrt(base)
    if exponent == -0.5 and wide:
        return op.Reciprocal(op.Sqrt(base))
    if exponent == -1:
        return op.Reciprocal(base)
    if exponent == -2:
        return op.Reciprocal(op.Mul(base, base))
    return op.Pow(base, op.constant(float(exponent), dtype))


@translator("aten::pow.Tensor_Tensor", "aten::pow.Scalar")
def pow_tensor_tensor(op: Op, self: Operand, exponent: Value) -> Value:
    """pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor"""
    return _power(op, *promote(op, self, exponent))


@translator("aten::float_power.Tensor_Tensor", "aten::float_power.Scalar")
def float_power(op: Op, self: Operand, exponent: Value) -> Value:
    """float_power.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor"""
    return op.Pow(*(_double(op, operand) for operand in (self, exponent)))


@translator("aten::float_power.Tensor_Scalar")
def float_power_scalar(op: Op, self: Value, exponent: Scalar) -> Value:
    """float_power.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor"""
    return pow_tensor_scalar(op, _double(op, self), exponent)


def _double(op: Op, operand: Operand) -> Value:
    if promoted_dtype([operand]) in (ir.DataType.COMPLEX64, ir.DataType.COMPLEX128):
        op.refuse("ONNX has no powers of complex numbers")
    return promote(op, operand, dtype=ir.DataType.DOUBLE)[0]


def _power(op: Op, base: Value, exponent: Value) -> Value:
    return op.Pow(base, exponent) if is_floating(base) else _runtime_integer_power(op, base, exponent)


def integer_power(op: Op, base: Value, exponent: int) -> Value:
    """``base ** exponent`` of integers by squaring: ONNX Runtime's Pow goes through a double.

    Raises:
        Unsupported: the exponent is negative, which torch refuses too.
    """
    if exponent < 0:
        op.refuse(f"integers have no power {exponent}")
    result: Value | None = None
    square = base
    while exponent:
        if exponent % 2:
            result = square if result is None else op.Mul(result, square)
        exponent //= 2
        if exponent:
            square = op.Mul(square, square)
    return op.Expand(op.constant(1, dtype_of(op, base)), op.Shape(base)) if result is None else result


_EXPONENT_BITS = 6


def _runtime_integer_power(op: Op, base: Value, exponent: Value) -> Value:
    """By squaring as well, bit by bit of the exponent.

    Six bits are enough: with a base beyond -1, 0 and 1 the 64th power leaves every integer dtype, and for
    those three only the exponent's parity counts.
    """
    dtype = dtype_of(op, base)
    wide = op.cast(exponent, ir.DataType.INT64)
    odd = op.Mod(wide, 2)
    left = op.Where(op.Greater(op.Abs(wide), 63), op.Add(odd, 62), op.Abs(wide))
    result: Value | None = None
    square = base
    for bit in range(_EXPONENT_BITS):
        factor = op.Where(op.Equal(op.Mod(left, 2), 1), square, op.constant(1, dtype))
        result = factor if result is None else op.Mul(result, factor)
        left = op.Div(left, 2)
        if bit < _EXPONENT_BITS - 1:
            square = op.Mul(square, square)
    unit = op.Equal(op.Abs(base), 1)
    vanishes = op.And(op.Less(wide, 0), op.Not(unit))
    return op.Where(vanishes, 0, result) if result is not None else base
