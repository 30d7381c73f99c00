"""Activations."""

from __future__ import annotations

import math

import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit import (
    bounded_below,
    exponential_unit,
    hard_shrunk,
    has_activation_kernels,
    is_floating,
    leaky_unit,
    log_of_1_plus_exp,
    promote,
    rank_of,
    scaled_exponential_unit,
    soft_shrunk,
    softmax_over,
    softplus_of,
)
from onnx_torchlib import Op, translator

__all__ = [
    "celu",
    "elu",
    "gelu",
    "glu",
    "hardshrink",
    "hardsigmoid",
    "hardswish",
    "hardtanh",
    "leaky_relu",
    "log_sigmoid",
    "log_softmax",
    "log_softmax_half",
    "mish",
    "prelu",
    "relu",
    "relu6",
    "rrelu",
    "selu",
    "silu",
    "softmax",
    "softmax_half",
    "softplus",
    "softshrink",
    "threshold",
]

_SQRT_HALF = math.sqrt(0.5)

_SQRT_2_OVER_PI = math.sqrt(2.0 / math.pi)

_SELU_ALPHA = 1.6732632423543772

_SELU_SCALE = 1.0507009873554805


@translator("aten::gelu")
def gelu(op: Op, self: Value, approximate: str = "none") -> Value:
    """gelu(Tensor self, *, str approximate="none") -> Tensor"""
    if op.has("Gelu", self.dtype):
        return op.Gelu(self, approximate=approximate)
    if approximate == "tanh":
        cube = op.Mul(op.Mul(self, self), self)
        inner = op.Mul(op.Add(self, op.Mul(cube, 0.044715)), _SQRT_2_OVER_PI)
        return op.Mul(op.Mul(self, 0.5), op.Add(op.Tanh(inner), 1.0))
    return op.Mul(op.Mul(self, 0.5), op.Add(op.Erf(op.Mul(self, _SQRT_HALF)), 1.0))


@translator("aten::relu")
def relu(op: Op, self: Value) -> Value:
    """relu(Tensor self) -> Tensor"""
    # ONNX Runtime has no Relu for most integers, and it has Max for all.
    return op.Relu(self) if is_floating(self) else op.Max(self, 0)


@translator("aten::relu6")
def relu6(op: Op, self: Value) -> Value:
    """relu6(Tensor self) -> Tensor"""
    return op.Clip(self, 0, 6)


@translator("aten::hardtanh")
def hardtanh(op: Op, self: Value, min_val: Scalar = -1, max_val: Scalar = 1) -> Value:
    """hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor"""
    low, high = promote(op, min_val, max_val, dtype=self.dtype)
    return op.Clip(self, low, high)


@translator("aten::rrelu")
def rrelu(
    op: Op,
    self: Value,
    lower: Scalar = 0.125,
    upper: Scalar = 1 / 3,
    training: bool = False,
    generator: str | None = None,
) -> Value:
    """rrelu(Tensor self, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool training=False, Generator? generator=None) -> Tensor"""
    if training:
        op.refuse("in training its slope is random; call eval() on the model")
    if isinstance(lower, ir.Value) or isinstance(upper, ir.Value):
        op.refuse("the bounds of its slope are computed at run time")
    return leaky_relu(op, self, (lower + upper) / 2)


@translator("aten::leaky_relu")
def leaky_relu(op: Op, self: Value, negative_slope: Scalar = 0.01) -> Value:
    """leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor"""
    return leaky_unit(op, self, negative_slope)


@translator("aten::prelu")
def prelu(op: Op, self: Value, weight: Value) -> Value:
    """prelu(Tensor self, Tensor weight) -> Tensor"""
    rank = rank_of(op, self)
    if rank > 2 and rank_of(op, weight) == 1:
        # One slope per channel, and the channels are axis 1.
        weight = op.Unsqueeze(weight, list(range(1, rank - 1)))
    elif rank == 0:
        weight = op.Reshape(weight, op.constant([], ir.DataType.INT64))
    if has_activation_kernels(self):
        return op.PRelu(self, weight)
    return op.Where(op.Less(self, 0), op.Mul(self, weight), self)


@translator("aten::elu")
def elu(op: Op, self: Value, alpha: Scalar = 1, scale: Scalar = 1, input_scale: Scalar = 1) -> Value:
    """elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor"""
    return exponential_unit(op, self, alpha, scale, input_scale)


@translator("aten::celu")
def celu(op: Op, self: Value, alpha: Scalar = 1.0) -> Value:
    """celu(Tensor self, Scalar alpha=1.) -> Tensor"""
    return scaled_exponential_unit(op, self, alpha)


@translator("aten::selu")
def selu(op: Op, self: Value) -> Value:
    """selu(Tensor self) -> Tensor"""
    if has_activation_kernels(self):
        return op.Selu(self, alpha=_SELU_ALPHA, gamma=_SELU_SCALE)
    return elu(op, self, _SELU_ALPHA, _SELU_SCALE)


@translator("aten::silu")
def silu(op: Op, self: Value) -> Value:
    """silu(Tensor self) -> Tensor"""
    # Sigmoid and Mul, which every runtime fuses; Swish (opset 24) has no kernel of its own in ONNX Runtime.
    return op.Mul(self, op.Sigmoid(self))


@translator("aten::mish")
def mish(op: Op, self: Value) -> Value:
    """mish(Tensor self) -> Tensor"""
    return op.Mul(self, op.Tanh(log_of_1_plus_exp(op, self)))


@translator("aten::hardsigmoid")
def hardsigmoid(op: Op, self: Value) -> Value:
    """hardsigmoid(Tensor self) -> Tensor"""
    if has_activation_kernels(self):
        return op.HardSigmoid(self, alpha=1 / 6, beta=0.5)
    return op.Div(op.Clip(op.Add(self, 3), 0, 6), 6)


@translator("aten::hardswish")
def hardswish(op: Op, self: Value) -> Value:
    """hardswish(Tensor self) -> Tensor"""
    return op.HardSwish(self) if has_activation_kernels(self) else op.Mul(self, hardsigmoid(op, self))


@translator("aten::softplus")
def softplus(op: Op, self: Value, beta: Scalar = 1, threshold: Scalar = 20) -> Value:
    """softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor"""
    return softplus_of(op, self, beta, threshold)


@translator("aten::log_sigmoid")
def log_sigmoid(op: Op, self: Value) -> Value:
    """log_sigmoid(Tensor self) -> Tensor"""
    return op.Neg(log_of_1_plus_exp(op, op.Neg(self)))


@translator("aten::threshold")
def threshold(op: Op, self: Value, threshold: Scalar, value: Scalar) -> Value:
    """threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor"""
    return bounded_below(op, self, threshold, value)


@translator("aten::hardshrink")
def hardshrink(op: Op, self: Value, lambd: Scalar = 0.5) -> Value:
    """hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor"""
    return hard_shrunk(op, self, lambd)


@translator("aten::softshrink")
def softshrink(op: Op, self: Value, lambd: Scalar = 0.5) -> Value:
    """softshrink(Tensor self, Scalar lambd=0.5) -> Tensor"""
    return soft_shrunk(op, self, lambd)


@translator("aten::glu")
def glu(op: Op, self: Value, dim: int = -1) -> Value:
    """glu(Tensor self, int dim=-1) -> Tensor"""
    first, second = op.Split(self, axis=dim, num_outputs=2, outputs=2)
    return op.Mul(first, op.Sigmoid(second))


@translator("aten::softmax.int", "aten::special_softmax")
def softmax(op: Op, self: Value, dim: int, dtype: ir.DataType | None = None) -> Value:
    """softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor"""
    value = self if dtype is None else op.cast(self, dtype)
    return softmax_over(op, value, dim, log=False)


@translator("aten::_softmax")
def softmax_half(op: Op, self: Value, dim: int, half_to_float: bool) -> Value:
    """_softmax(Tensor self, int dim, bool half_to_float) -> Tensor"""
    return softmax_over(op, op.cast(self, ir.DataType.FLOAT) if half_to_float else self, dim, log=False)


@translator("aten::log_softmax.int", "aten::special_log_softmax")
def log_softmax(op: Op, self: Value, dim: int, dtype: ir.DataType | None = None) -> Value:
    """log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor"""
    value = self if dtype is None else op.cast(self, dtype)
    return softmax_over(op, value, dim, log=True)


@translator("aten::_log_softmax")
def log_softmax_half(op: Op, self: Value, dim: int, half_to_float: bool) -> Value:
    """_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor"""
    return softmax_over(op, op.cast(self, ir.DataType.FLOAT) if half_to_float else self, dim, log=True)
