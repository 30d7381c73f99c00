"""Arithmetic whose dtypes or attributes changed, and rounding."""

from __future__ import annotations

from onnx_ir_capture.emit._calls import Argument, AttributeValue
from onnx_ir_capture.emit._constants import as_value, dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._forms import NodeOutput, form

__all__ = ["cast_like", "mod", "pow_", "round_"]


@form("Pow", reviewed=15)
def pow_(emitter: Emitter, X: Argument, Y: Argument) -> NodeOutput:
    """Since 12: the exponent has a dtype of its own, and integers have powers.

    A literal exponent takes the dtype of a floating base, so that a double is not raised to a float32.
    """
    dtype = dtype_of(X)
    if dtype is None or not dtype.is_floating_point():
        return emitter.node("Pow", [X, Y])
    exponent = as_value(emitter, Y, dtype)
    return emitter.node("Pow", [X, emitter.cast(exponent, dtype) if emitter.opset < 12 else exponent])


@form("Mod", reviewed=28)
def mod(emitter: Emitter, A: Argument, B: Argument, *, fmod: int = 0) -> NodeOutput:
    """Since 10: exists."""
    if emitter.opset >= 10:
        return emitter.node("Mod", [A, B], {"fmod": fmod})
    dtype = dtype_of(A, B)
    if dtype is None or not dtype.is_integer():
        emitter.refuse("the remainder of floats needs ONNX operator Mod, which exists from opset 10", 10)
    dividend, divisor = as_value(emitter, A, dtype), as_value(emitter, B, dtype)
    # Division of integers truncates, so this remainder has the sign of the dividend.
    remainder = emitter.Sub(dividend, emitter.Mul(divisor, emitter.Div(dividend, divisor)))
    if fmod:
        return remainder
    signs_differ = emitter.Xor(emitter.Less(remainder, 0), emitter.Less(divisor, 0))
    wrong = emitter.And(signs_differ, emitter.Not(emitter.Equal(remainder, 0)))
    return emitter.Where(wrong, emitter.Add(remainder, divisor), remainder)


@form("Round", reviewed=22)
def round_(emitter: Emitter, X: Argument) -> NodeOutput:
    """Since 11: exists. Halves go to the even neighbour."""
    if emitter.opset >= 11:
        return emitter.node("Round", [X])
    size = emitter.Abs(X)
    below = emitter.Floor(size)
    rest = emitter.Sub(size, below)
    half = emitter.Mul(below, 0.5)
    odd = emitter.Greater(emitter.Sub(half, emitter.Floor(half)), 0.0)
    at_half = emitter.Not(emitter.Or(emitter.Less(rest, 0.5), emitter.Greater(rest, 0.5)))
    up = emitter.Or(emitter.Greater(rest, 0.5), emitter.And(at_half, odd))
    # The rest of infinity is NaN, of which no comparison but at_half is true, and then odd is not.
    rounded = emitter.Where(up, emitter.Add(below, 1.0), below)
    # A zero keeps the sign of X, -0.0 too, which Sign would lose.
    return emitter.Where(
        emitter.Greater(rounded, 0.0), emitter.Mul(rounded, emitter.Sign(X)), emitter.Mul(X, 0.0)
    )


@form("CastLike", reviewed=25)
def cast_like(
    emitter: Emitter, input: Argument, target_type: Argument, **attributes: AttributeValue
) -> NodeOutput:
    """Since 15: exists; where the wanted dtype is known, Cast says the same."""
    dtype = dtype_of(target_type)
    if dtype is None:
        return emitter.node("CastLike", [input, target_type], attributes)
    return emitter.call_operator("Cast", [input], {"to": int(dtype), **attributes}, None)
