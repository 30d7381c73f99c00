"""Losses that compare two tensors element by element."""

from __future__ import annotations

import math

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import promote
from onnx_torchlib import Op, translator
from onnx_torchlib._reduction import reduced
from onnx_torchlib.ops.activation import log_sigmoid
from onnx_torchlib.ops.unary import log1p

__all__ = [
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "hinge_embedding_loss",
    "huber_loss",
    "kl_div",
    "l1_loss",
    "margin_ranking_loss",
    "mse_loss",
    "poisson_nll_loss",
    "smooth_l1_loss",
    "soft_margin_loss",
]


def _distance(op: Op, left: Value, right: Value) -> Value:
    return op.Abs(op.Sub(*promote(op, left, right)))


@translator("aten::mse_loss")
def mse_loss(op: Op, self: Value, target: Value, reduction: int = 1) -> Value:
    """mse_loss(Tensor self, Tensor target, int reduction=1) -> Tensor"""
    difference = op.Sub(*promote(op, self, target))
    return reduced(op, op.Mul(difference, difference), reduction)


@translator("aten::l1_loss")
def l1_loss(op: Op, self: Value, target: Value, reduction: int = 1) -> Value:
    """l1_loss(Tensor self, Tensor target, int reduction=1) -> Tensor"""
    return reduced(op, _distance(op, self, target), reduction)


@translator("aten::smooth_l1_loss")
def smooth_l1_loss(op: Op, self: Value, target: Value, reduction: int = 1, beta: float = 1.0) -> Value:
    """smooth_l1_loss(Tensor self, Tensor target, int reduction=1, float beta=1.) -> Tensor"""
    if beta == 0:
        return l1_loss(op, self, target, reduction)
    distance = _distance(op, self, target)
    near = op.Div(op.Mul(op.Mul(distance, 0.5), distance), beta)
    losses = op.Where(op.Less(distance, beta), near, op.Sub(distance, 0.5 * beta))
    return reduced(op, losses, reduction)


@translator("aten::huber_loss")
def huber_loss(op: Op, self: Value, target: Value, reduction: int = 1, delta: float = 1.0) -> Value:
    """huber_loss(Tensor self, Tensor target, int reduction=1, float delta=1.) -> Tensor"""
    distance = _distance(op, self, target)
    near = op.Mul(op.Mul(distance, 0.5), distance)
    far = op.Mul(op.Sub(distance, 0.5 * delta), delta)
    return reduced(op, op.Where(op.LessOrEqual(distance, delta), near, far), reduction)


# torch holds the logarithms of binary_cross_entropy above this.
_LEAST_LOG = -100.0


@translator("aten::binary_cross_entropy")
def binary_cross_entropy(
    op: Op, self: Value, target: Value, weight: Value | None = None, reduction: int = 1
) -> Value:
    """binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=1) -> Tensor"""
    value, wanted = promote(op, self, target)
    (least,) = promote(op, _LEAST_LOG, dtype=value.dtype)
    of_one = op.Mul(wanted, op.Max(op.Log(value), least))
    of_zero = op.Mul(op.Sub(wanted, 1.0), op.Max(log1p(op, op.Neg(value)), least))
    losses = op.Sub(of_zero, of_one)
    return reduced(op, _weighted(op, losses, weight), reduction)


def _weighted(op: Op, losses: Value, weight: Value | None) -> Value:
    return losses if weight is None else op.Mul(*promote(op, losses, weight))


@translator("aten::binary_cross_entropy_with_logits")
def binary_cross_entropy_with_logits(
    op: Op,
    self: Value,
    target: Value,
    weight: Value | None = None,
    pos_weight: Value | None = None,
    reduction: int = 1,
) -> Value:
    """binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, Tensor? pos_weight=None, int reduction=1) -> Tensor"""
    value, wanted = promote(op, self, target)
    logs = log_sigmoid(op, value)
    if pos_weight is not None:
        factor, wanted = promote(op, pos_weight, wanted)
        logs = op.Mul(op.Add(op.Mul(op.Sub(factor, 1.0), wanted), 1.0), logs)
    losses = op.Sub(op.Mul(op.Sub(1.0, wanted), value), logs)
    return reduced(op, _weighted(op, losses, weight), reduction)


@translator("aten::kl_div")
def kl_div(op: Op, self: Value, target: Value, reduction: int = 1, log_target: bool = False) -> Value:
    """kl_div(Tensor self, Tensor target, int reduction=1, *, bool log_target=False) -> Tensor"""
    value, wanted = promote(op, self, target)
    if log_target:
        return reduced(op, op.Mul(op.Exp(wanted), op.Sub(wanted, value)), reduction)
    # 0 times the logarithm of 0 is 0 here.
    (zero,) = promote(op, 0, dtype=wanted.dtype)
    entropy = op.Where(op.Equal(wanted, zero), zero, op.Mul(wanted, op.Log(wanted)))
    return reduced(op, op.Sub(entropy, op.Mul(wanted, value)), reduction)


@translator("aten::soft_margin_loss")
def soft_margin_loss(op: Op, self: Value, target: Value, reduction: int = 1) -> Value:
    """soft_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor"""
    value, wanted = promote(op, self, target)
    return reduced(op, log1p(op, op.Exp(op.Mul(op.Neg(wanted), value))), reduction)


@translator("aten::hinge_embedding_loss")
def hinge_embedding_loss(
    op: Op, self: Value, target: Value, margin: float = 1.0, reduction: int = 1
) -> Value:
    """hinge_embedding_loss(Tensor self, Tensor target, float margin=1., int reduction=1) -> Tensor"""
    (zero,) = promote(op, 0, dtype=self.dtype)
    below = op.Max(op.Sub(margin, self), zero)
    apart = op.Where(op.Equal(target, 1), zero, below)
    together = op.Where(op.Equal(target, -1), zero, self)
    return reduced(op, op.Add(apart, together), reduction)


@translator("aten::margin_ranking_loss")
def margin_ranking_loss(
    op: Op, input1: Value, input2: Value, target: Value, margin: float = 0.0, reduction: int = 1
) -> Value:
    """margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0., int reduction=1) -> Tensor"""
    first, second, sign = promote(op, input1, input2, target)
    (zero,) = promote(op, 0, dtype=first.dtype)
    lead = op.Mul(op.Neg(sign), op.Sub(first, second))
    return reduced(op, op.Max(op.Add(lead, margin), zero), reduction)


@translator("aten::poisson_nll_loss")
def poisson_nll_loss(
    op: Op, input: Value, target: Value, log_input: bool, full: bool, eps: float, reduction: int
) -> Value:
    """poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, int reduction) -> Tensor"""
    value, wanted = promote(op, input, target)
    if log_input:
        losses = op.Sub(op.Exp(value), op.Mul(wanted, value))
    else:
        losses = op.Sub(value, op.Mul(wanted, op.Log(op.Add(value, eps))))
    if full:
        # Stirling's formula for the logarithm of the factorial.
        logs = op.Sub(op.Mul(wanted, op.Log(wanted)), wanted)
        factorial = op.Add(logs, op.Mul(op.Log(op.Mul(wanted, 2 * math.pi)), 0.5))
        (zero,) = promote(op, 0, dtype=wanted.dtype)
        losses = op.Add(losses, op.Where(op.LessOrEqual(wanted, 1.0), zero, factorial))
    return reduced(op, losses, reduction)
