"""Activations: those along an axis, and those that older opsets have to spell out."""

from __future__ import annotations

import math
from collections.abc import Callable

import onnx_ir as ir

from onnx_ir_capture.emit._calls import Argument
from onnx_ir_capture.emit._constants import as_value, dtype_of, static_rank
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._forms import FormFunction, NodeOutput, form

__all__ = ["celu", "gelu", "hard_swish", "mish", "softplus"]


def _along_axis(op_type: str) -> FormFunction:
    def along_axis(emitter: Emitter, input: Argument, *, axis: int = -1) -> NodeOutput:
        if emitter.opset >= 13:
            return emitter.node(op_type, [input], {"axis": axis})
        rank = static_rank(emitter, input, f"{op_type} along an axis", since=13)
        last = rank - 1
        if axis in (-1, last):
            return emitter.node(op_type, [input], {"axis": last})
        # The older form flattens everything from the axis on, so the axis is moved to the end.
        order = list(range(rank))
        order[axis], order[last] = last, axis % rank
        moved = emitter.Transpose(input, perm=order)
        (result,) = emitter.node(op_type, [moved], {"axis": last})
        return emitter.Transpose(result, perm=order)

    along_axis.__doc__ = f"{op_type}. Since 13: along one axis; before, over all axes from one on."
    return along_axis


for _op_type in ("Hardmax", "LogSoftmax", "Softmax"):
    form(_op_type, reviewed=13)(_along_axis(_op_type))


def _spelled_out(emitter: Emitter, X: Argument, formula: Callable[[ir.Value], ir.Value]) -> ir.Value:
    """``formula`` of ``X``; half precision goes through float32, so that it is rounded once."""
    dtype = dtype_of(X) or ir.DataType.FLOAT
    value = as_value(emitter, X, dtype)
    if dtype not in (ir.DataType.FLOAT16, ir.DataType.BFLOAT16):
        return formula(value)
    return emitter.cast(formula(emitter.cast(value, ir.DataType.FLOAT)), dtype)


@form("Gelu", reviewed=20)
def gelu(emitter: Emitter, X: Argument, *, approximate: str = "none") -> NodeOutput:
    """Since 20: exists. Its function body holds the tanh form's numbers in float32, which is not double."""
    exact = approximate == "none" or dtype_of(X) != ir.DataType.DOUBLE
    if emitter.opset >= 20 and exact:
        return emitter.node("Gelu", [X], {"approximate": approximate})

    def by_erf(x: ir.Value) -> ir.Value:
        half = emitter.Mul(x, 0.5)
        return emitter.Mul(half, emitter.Add(emitter.Erf(emitter.Mul(x, math.sqrt(0.5))), 1.0))

    def by_tanh(x: ir.Value) -> ir.Value:
        cube = emitter.Mul(emitter.Mul(x, x), x)
        inner = emitter.Mul(emitter.Add(x, emitter.Mul(cube, 0.044715)), math.sqrt(2 / math.pi))
        return emitter.Mul(emitter.Mul(x, 0.5), emitter.Add(emitter.Tanh(inner), 1.0))

    return _spelled_out(emitter, X, by_tanh if approximate == "tanh" else by_erf)


@form("HardSwish", reviewed=22)
def hard_swish(emitter: Emitter, X: Argument) -> NodeOutput:
    """Since 14: exists. Source: its function body, x * max(0, min(1, x / 6 + 1 / 2))."""
    if emitter.opset >= 14:
        return emitter.node("HardSwish", [X])
    return _spelled_out(
        emitter,
        X,
        lambda x: emitter.Mul(x, emitter.Clip(emitter.Add(emitter.Mul(x, 1 / 6), 0.5), 0.0, 1.0)),
    )


@form("Softplus", reviewed=22)
def softplus(emitter: Emitter, X: Argument) -> NodeOutput:
    """One form, but where ONNX Runtime has no kernel it takes the function body, log(exp(x) + 1).

    That overflows, so half precision goes through float32, and double is spelled out by max(x, 0).
    """
    if dtype_of(X) != ir.DataType.DOUBLE:
        return _spelled_out(emitter, X, lambda x: emitter.node("Softplus", [x])[0])
    rest = emitter.Log(emitter.Add(emitter.Exp(emitter.Neg(emitter.Abs(X))), 1.0))
    return emitter.Add(emitter.Max(X, 0.0), rest)


@form("Mish", reviewed=22)
def mish(emitter: Emitter, X: Argument) -> NodeOutput:
    """Since 18: exists. Source: its function body, x * tanh(softplus(x))."""
    if emitter.opset >= 18:
        return emitter.node("Mish", [X])
    return _spelled_out(emitter, X, lambda x: emitter.Mul(x, emitter.Tanh(emitter.Softplus(x))))


@form("Celu", reviewed=28)
def celu(emitter: Emitter, X: Argument, *, alpha: float = 1.0) -> NodeOutput:
    """Since 12: exists, for float32 (and more since 28).

    Source: its function body, max(0, x) + min(0, alpha * (exp(x / alpha) - 1)), in which Elu is the more
    exact exp(...) - 1.
    """
    dtype = dtype_of(X) or ir.DataType.FLOAT
    if emitter.has("Celu", dtype):
        return emitter.node("Celu", [X], {"alpha": alpha})

    def formula(x: ir.Value) -> ir.Value:
        below = emitter.Elu(emitter.Div(emitter.Min(x, 0.0), alpha), alpha=1.0)
        return emitter.Add(emitter.Relu(x), emitter.Mul(below, alpha))

    return _spelled_out(emitter, X, formula)
