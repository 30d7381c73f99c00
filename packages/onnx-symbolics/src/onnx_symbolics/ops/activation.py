"""Activations."""

from __future__ import annotations

from onnx_ir_capture.contracts import Value

from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["gelu_9", "gelu_20", "relu"]

_SQRT_HALF = 0.7071067811865476
_SQRT_2_OVER_PI = 0.7978845608028654


@symbolic("aten::gelu", since=9)
def gelu_9(g: SymbolicContext, self: Value, approximate: str = "none") -> Value:
    """gelu(Tensor self, *, str approximate='none') -> Tensor"""
    if approximate == "tanh":
        cube = g.Mul(g.Mul(self, self), self)
        inner = g.Mul(g.Add(self, g.Mul(cube, 0.044715)), _SQRT_2_OVER_PI)
        return g.Mul(g.Mul(self, 0.5), g.Add(g.Tanh(inner), 1.0))
    return g.Mul(g.Mul(self, 0.5), g.Add(g.Erf(g.Mul(self, _SQRT_HALF)), 1.0))


@symbolic("aten::gelu", since=20)
def gelu_20(g: SymbolicContext, self: Value, approximate: str = "none") -> Value:
    """gelu(Tensor self, *, str approximate='none') -> Tensor

    Since 20: one operator, Gelu.
    """
    return g.Gelu(self, approximate=approximate)


@symbolic("aten::relu")
def relu(g: SymbolicContext, self: Value) -> Value:
    """relu(Tensor self) -> Tensor"""
    return g.Relu(self)
