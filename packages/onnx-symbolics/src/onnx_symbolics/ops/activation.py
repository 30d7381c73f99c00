"""Activations."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit import (
    bounded_below,
    exponential_unit,
    hard_shrunk,
    has_activation_kernels,
    leaky_unit,
    log_of_1_plus_exp,
    promote,
    rank_of,
    scaled_exponential_unit,
    soft_shrunk,
    softmax_over,
    softplus_of,
)
from onnx_symbolics import SymbolicContext, symbolic

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

_SELU_ALPHA = 1.6732632423543772848170429916717

_SELU_SCALE = 1.0507009873554804934193349852946


@symbolic("aten::gelu")
def gelu(g: SymbolicContext, self: Value, approximate: str = "none") -> Value:
    """gelu(Tensor self, *, str approximate='none') -> Tensor"""
    return g.Gelu(self, approximate=approximate)


@symbolic("aten::relu")
def relu(g: SymbolicContext, self: Value) -> Value:
    """relu(Tensor self) -> Tensor"""
    # ONNX Runtime has no Relu for most integers, and it has Max for all.
    return g.Max(self, 0) if self.dtype is not None and self.dtype.is_integer() else g.Relu(self)


@symbolic("aten::relu6")
def relu6(g: SymbolicContext, self: Value) -> Value:
    """relu6(Tensor self) -> Tensor"""
    return g.Clip(self, 0, 6)


@symbolic("aten::hardtanh")
def hardtanh(g: SymbolicContext, self: Value, min_val: Scalar = -1, max_val: Scalar = 1) -> Value:
    """hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor"""
    return g.Clip(self, *promote(g, min_val, max_val, dtype=self.dtype))


@symbolic("aten::rrelu")
def rrelu(
    g: SymbolicContext,
    self: Value,
    lower: Scalar = 0.125,
    upper: Scalar = 1 / 3,
    training: bool = False,
    generator: str | None = None,
) -> Value:
    """rrelu(Tensor self, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool training=False, Generator? generator=None) -> Tensor"""
    if training:
        g.refuse("in training its slope is random; call eval() on the model")
    if isinstance(lower, ir.Value) or isinstance(upper, ir.Value):
        g.refuse("the bounds of its slope are computed at run time")
    return leaky_relu(g, self, (lower + upper) / 2)


@symbolic("aten::leaky_relu")
def leaky_relu(g: SymbolicContext, self: Value, negative_slope: Scalar = 0.01) -> Value:
    """leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor"""
    return leaky_unit(g, self, negative_slope)


@symbolic("aten::prelu")
def prelu(g: SymbolicContext, self: Value, weight: Value) -> Value:
    """prelu(Tensor self, Tensor weight) -> Tensor"""
    rank = rank_of(g, self)
    if rank > 2 and rank_of(g, weight) == 1:
        # One slope per channel, and the channels are axis 1.
        weight = g.Unsqueeze(weight, list(range(1, rank - 1)))
    elif rank == 0:
        weight = g.Reshape(weight, g.constant([]))
    if not has_activation_kernels(self):
        # ONNX Runtime has PRelu of float32 alone, and no function to put in its place before opset 16.
        return g.Where(g.Greater(self, 0.0), self, g.Mul(self, weight))
    return g.PRelu(self, weight)


@symbolic("aten::elu")
def elu(
    g: SymbolicContext, self: Value, alpha: Scalar = 1, scale: Scalar = 1, input_scale: Scalar = 1
) -> Value:
    """elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor"""
    return exponential_unit(g, self, alpha, scale, input_scale)


@symbolic("aten::celu")
def celu(g: SymbolicContext, self: Value, alpha: Scalar = 1.0) -> Value:
    """celu(Tensor self, Scalar alpha=1.) -> Tensor"""
    return scaled_exponential_unit(g, self, alpha)


@symbolic("aten::selu")
def selu(g: SymbolicContext, self: Value) -> Value:
    """selu(Tensor self) -> Tensor"""
    if not has_activation_kernels(self):
        return elu(g, self, _SELU_ALPHA, _SELU_SCALE)
    return g.Selu(self, alpha=_SELU_ALPHA, gamma=_SELU_SCALE)


@symbolic("aten::silu")
def silu(g: SymbolicContext, self: Value) -> Value:
    """silu(Tensor self) -> Tensor"""
    # Runtimes fuse the pair; Swish, from 24, has no kernel of its own in ONNX Runtime.
    return g.Mul(self, g.Sigmoid(self))


@symbolic("aten::mish")
def mish(g: SymbolicContext, self: Value) -> Value:
    """mish(Tensor self) -> Tensor"""
    return g.Mul(self, g.Tanh(log_of_1_plus_exp(g, self)))


@symbolic("aten::hardsigmoid")
def hardsigmoid(g: SymbolicContext, self: Value) -> Value:
    """hardsigmoid(Tensor self) -> Tensor"""
    if not has_activation_kernels(self):
        return g.Div(g.Clip(g.Add(self, 3.0), 0.0, 6.0), 6.0)
    return g.HardSigmoid(self, alpha=1 / 6, beta=0.5)


@symbolic("aten::hardswish")
def hardswish(g: SymbolicContext, self: Value) -> Value:
    """hardswish(Tensor self) -> Tensor"""
    return g.HardSwish(self) if has_activation_kernels(self) else g.Mul(self, hardsigmoid(g, self))


@symbolic("aten::softplus")
def softplus(g: SymbolicContext, self: Value, beta: Scalar = 1, threshold: Scalar = 20) -> Value:
    """softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor"""
    return softplus_of(g, self, beta, threshold)


@symbolic("aten::log_sigmoid")
def log_sigmoid(g: SymbolicContext, self: Value) -> Value:
    """log_sigmoid(Tensor self) -> Tensor"""
    return g.Neg(log_of_1_plus_exp(g, g.Neg(self)))


@symbolic("aten::threshold")
def threshold(g: SymbolicContext, self: Value, threshold: Scalar, value: Scalar) -> Value:
    """threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor"""
    return bounded_below(g, self, threshold, value)


@symbolic("aten::hardshrink")
def hardshrink(g: SymbolicContext, self: Value, lambd: Scalar = 0.5) -> Value:
    """hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor"""
    return hard_shrunk(g, self, lambd)


@symbolic("aten::softshrink")
def softshrink(g: SymbolicContext, self: Value, lambd: Scalar = 0.5) -> Value:
    """softshrink(Tensor self, Scalar lambd=0.5) -> Tensor"""
    return soft_shrunk(g, self, lambd)


@symbolic("aten::glu")
def glu(g: SymbolicContext, self: Value, dim: int = -1) -> Value:
    """glu(Tensor self, int dim=-1) -> Tensor"""
    first, second = g.Split(self, axis=dim, num_outputs=2, outputs=2)
    return g.Mul(first, g.Sigmoid(second))


@symbolic("aten::softmax.int", "aten::special_softmax")
def softmax(g: SymbolicContext, self: Value, dim: int, dtype: ir.DataType | None = None) -> Value:
    """softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor"""
    return softmax_over(g, self if dtype is None else g.cast(self, dtype), dim, log=False)


@symbolic("aten::_softmax")
def softmax_half(g: SymbolicContext, self: Value, dim: int, half_to_float: bool) -> Value:
    """_softmax(Tensor self, int dim, bool half_to_float) -> Tensor"""
    return softmax_over(g, g.cast(self, ir.DataType.FLOAT) if half_to_float else self, dim, log=False)


@symbolic("aten::log_softmax.int", "aten::special_log_softmax")
def log_softmax(g: SymbolicContext, self: Value, dim: int, dtype: ir.DataType | None = None) -> Value:
    """log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor"""
    return softmax_over(g, self if dtype is None else g.cast(self, dtype), dim, log=True)


@symbolic("aten::_log_softmax")
def log_softmax_half(g: SymbolicContext, self: Value, dim: int, half_to_float: bool) -> Value:
    """_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor"""
    return softmax_over(g, g.cast(self, ir.DataType.FLOAT) if half_to_float else self, dim, log=True)
