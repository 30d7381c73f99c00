"""Activations."""

from __future__ import annotations

from onnx_ir_capture.contracts import Value

from onnx_torchlib import Op, translator

__all__ = ["gelu", "relu", "tanh"]


@translator("aten::gelu")
def gelu(op: Op, self: Value, approximate: str = "none") -> Value:
    """gelu(Tensor self, *, str approximate='none') -> Tensor"""
    if op.has("Gelu", self.dtype):
        return op.Gelu(self, approximate=approximate)
    if approximate == "tanh":
        inner = op.Mul(op.Add(self, op.Mul(op.Mul(op.Mul(self, self), self), 0.044715)), _SQRT_2_OVER_PI)
        return op.Mul(op.Mul(self, 0.5), op.Add(op.Tanh(inner), 1.0))
    return op.Mul(op.Mul(self, 0.5), op.Add(op.Erf(op.Mul(self, _SQRT_HALF)), 1.0))


_SQRT_HALF = 0.7071067811865476
_SQRT_2_OVER_PI = 0.7978845608028654


@translator("aten::relu", "aten::relu_")
def relu(op: Op, self: Value) -> Value:
    """relu(Tensor self) -> Tensor"""
    return op.Relu(self)


@translator("aten::tanh")
def tanh(op: Op, self: Value) -> Value:
    """tanh(Tensor self) -> Tensor"""
    return op.Tanh(self)
