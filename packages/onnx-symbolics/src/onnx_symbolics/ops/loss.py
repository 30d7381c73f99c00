"""Losses that compare two tensors element by element."""

from __future__ import annotations

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import (
    absolute_error,
    cross_entropy_of_chances,
    cross_entropy_of_logits,
    divergence,
    hinge_of_pairs,
    huber_error,
    poisson_likelihood,
    ranking_margin,
    smooth_absolute_error,
    soft_margin,
    squared_error,
)
from onnx_symbolics import SymbolicContext, symbolic

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


@symbolic("aten::mse_loss")
def mse_loss(g: SymbolicContext, self: Value, target: Value, reduction: int = 1) -> Value:
    """mse_loss(Tensor self, Tensor target, int reduction=1) -> Tensor"""
    return squared_error(g, self, target, reduction)


@symbolic("aten::l1_loss")
def l1_loss(g: SymbolicContext, self: Value, target: Value, reduction: int = 1) -> Value:
    """l1_loss(Tensor self, Tensor target, int reduction=1) -> Tensor"""
    return absolute_error(g, self, target, reduction)


@symbolic("aten::smooth_l1_loss")
def smooth_l1_loss(
    g: SymbolicContext, self: Value, target: Value, reduction: int = 1, beta: float = 1.0
) -> Value:
    """smooth_l1_loss(Tensor self, Tensor target, int reduction=1, float beta=1.) -> Tensor"""
    return smooth_absolute_error(g, self, target, reduction, beta)


@symbolic("aten::huber_loss")
def huber_loss(
    g: SymbolicContext, self: Value, target: Value, reduction: int = 1, delta: float = 1.0
) -> Value:
    """huber_loss(Tensor self, Tensor target, int reduction=1, float delta=1.) -> Tensor"""
    return huber_error(g, self, target, reduction, delta)


@symbolic("aten::binary_cross_entropy")
def binary_cross_entropy(
    g: SymbolicContext, self: Value, target: Value, weight: Value | None = None, reduction: int = 1
) -> Value:
    """binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=1) -> Tensor"""
    return cross_entropy_of_chances(g, self, target, weight, reduction)


@symbolic("aten::binary_cross_entropy_with_logits")
def binary_cross_entropy_with_logits(
    g: SymbolicContext,
    self: Value,
    target: Value,
    weight: Value | None = None,
    pos_weight: Value | None = None,
    reduction: int = 1,
) -> Value:
    """binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, Tensor? pos_weight=None, int reduction=1) -> Tensor"""
    return cross_entropy_of_logits(g, self, target, weight, pos_weight, reduction)


@symbolic("aten::kl_div")
def kl_div(
    g: SymbolicContext, self: Value, target: Value, reduction: int = 1, log_target: bool = False
) -> Value:
    """kl_div(Tensor self, Tensor target, int reduction=1, *, bool log_target=False) -> Tensor"""
    return divergence(g, self, target, reduction, log_target)


@symbolic("aten::soft_margin_loss")
def soft_margin_loss(g: SymbolicContext, self: Value, target: Value, reduction: int = 1) -> Value:
    """soft_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor"""
    return soft_margin(g, self, target, reduction)


@symbolic("aten::hinge_embedding_loss")
def hinge_embedding_loss(
    g: SymbolicContext, self: Value, target: Value, margin: float = 1.0, reduction: int = 1
) -> Value:
    """hinge_embedding_loss(Tensor self, Tensor target, float margin=1., int reduction=1) -> Tensor"""
    return hinge_of_pairs(g, self, target, margin, reduction)


@symbolic("aten::margin_ranking_loss")
def margin_ranking_loss(
    g: SymbolicContext, input1: Value, input2: Value, target: Value, margin: float = 0.0, reduction: int = 1
) -> Value:
    """margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0., int reduction=1) -> Tensor"""
    return ranking_margin(g, input1, input2, target, margin, reduction)


@symbolic("aten::poisson_nll_loss")
def poisson_nll_loss(
    g: SymbolicContext, input: Value, target: Value, log_input: bool, full: bool, eps: float, reduction: int
) -> Value:
    """poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, int reduction) -> Tensor"""
    return poisson_likelihood(g, input, target, log_input, full, eps, reduction)
