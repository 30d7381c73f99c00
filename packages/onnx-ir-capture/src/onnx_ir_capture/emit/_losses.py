"""Losses that compare two tensors element by element."""

from __future__ import annotations

import math

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit._activations import log_of_1_plus_exp
from onnx_ir_capture.emit._elementwise import log_of_1_plus
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._loss_reduction import reduced
from onnx_ir_capture.emit._promotion import promote

__all__ = [
    "absolute_error",
    "cross_entropy_of_chances",
    "cross_entropy_of_logits",
    "divergence",
    "hinge_of_pairs",
    "huber_error",
    "poisson_likelihood",
    "ranking_margin",
    "smooth_absolute_error",
    "soft_margin",
    "squared_error",
]


def _distance(emitter: Emitter, left: Value, right: Value) -> Value:
    return emitter.Abs(emitter.Sub(*promote(emitter, left, right)))


def squared_error(emitter: Emitter, value: Value, target: Value, reduction: int) -> Value:
    """Squares of the differences."""
    difference = emitter.Sub(*promote(emitter, value, target))
    return reduced(emitter, emitter.Mul(difference, difference), reduction)


def absolute_error(emitter: Emitter, value: Value, target: Value, reduction: int) -> Value:
    """Magnitudes of the differences."""
    return reduced(emitter, _distance(emitter, value, target), reduction)


def smooth_absolute_error(
    emitter: Emitter, value: Value, target: Value, reduction: int, beta: float
) -> Value:
    """Magnitudes of the differences, squares by ``beta`` for those below it."""
    if beta == 0:
        return absolute_error(emitter, value, target, reduction)
    distance = _distance(emitter, value, target)
    near = emitter.Div(emitter.Mul(emitter.Mul(distance, 0.5), distance), beta)
    losses = emitter.Where(emitter.Less(distance, beta), near, emitter.Sub(distance, 0.5 * beta))
    return reduced(emitter, losses, reduction)


def huber_error(emitter: Emitter, value: Value, target: Value, reduction: int, delta: float) -> Value:
    """Squares of the differences, growing as lines beyond ``delta``."""
    distance = _distance(emitter, value, target)
    near = emitter.Mul(emitter.Mul(distance, 0.5), distance)
    far = emitter.Mul(emitter.Sub(distance, 0.5 * delta), delta)
    return reduced(emitter, emitter.Where(emitter.LessOrEqual(distance, delta), near, far), reduction)


# torch holds the logarithms of binary_cross_entropy above this.
_LEAST_LOG = -100.0


def cross_entropy_of_chances(
    emitter: Emitter, data: Value, target: Value, weight: Value | None, reduction: int
) -> Value:
    """Cross entropy of chances with the wanted ones."""
    value, wanted = promote(emitter, data, target)
    (least,) = promote(emitter, _LEAST_LOG, dtype=value.dtype)
    of_one = emitter.Mul(wanted, emitter.Max(emitter.Log(value), least))
    of_zero = emitter.Mul(
        emitter.Sub(wanted, 1.0), emitter.Max(log_of_1_plus(emitter, emitter.Neg(value)), least)
    )
    losses = emitter.Sub(of_zero, of_one)
    return reduced(emitter, _weighted(emitter, losses, weight), reduction)


def _weighted(emitter: Emitter, losses: Value, weight: Value | None) -> Value:
    return losses if weight is None else emitter.Mul(*promote(emitter, losses, weight))


def cross_entropy_of_logits(
    emitter: Emitter,
    data: Value,
    target: Value,
    weight: Value | None,
    pos_weight: Value | None,
    reduction: int,
) -> Value:
    """Cross entropy of the sigmoids of ``data`` with the wanted chances."""
    value, wanted = promote(emitter, data, target)
    logs = emitter.Neg(log_of_1_plus_exp(emitter, emitter.Neg(value)))
    if pos_weight is not None:
        factor, wanted = promote(emitter, pos_weight, wanted)
        logs = emitter.Mul(emitter.Add(emitter.Mul(emitter.Sub(factor, 1.0), wanted), 1.0), logs)
    losses = emitter.Sub(emitter.Mul(emitter.Sub(1.0, wanted), value), logs)
    return reduced(emitter, _weighted(emitter, losses, weight), reduction)


def divergence(emitter: Emitter, data: Value, target: Value, reduction: int, log_target: bool) -> Value:
    """Kullback-Leibler divergence from logarithms of chances."""
    value, wanted = promote(emitter, data, target)
    if log_target:
        return reduced(emitter, emitter.Mul(emitter.Exp(wanted), emitter.Sub(wanted, value)), reduction)
    # 0 times the logarithm of 0 is 0 here.
    (zero,) = promote(emitter, 0, dtype=wanted.dtype)
    entropy = emitter.Where(emitter.Equal(wanted, zero), zero, emitter.Mul(wanted, emitter.Log(wanted)))
    return reduced(emitter, emitter.Sub(entropy, emitter.Mul(wanted, value)), reduction)


def soft_margin(emitter: Emitter, data: Value, target: Value, reduction: int) -> Value:
    """Logarithms of 1 and the exponential of what falls short of the sign."""
    value, wanted = promote(emitter, data, target)
    return reduced(
        emitter, log_of_1_plus(emitter, emitter.Exp(emitter.Mul(emitter.Neg(wanted), value))), reduction
    )


def hinge_of_pairs(emitter: Emitter, value: Value, target: Value, margin: float, reduction: int) -> Value:
    """The distance of alike pairs, and what unlike ones lack of ``margin``."""
    (zero,) = promote(emitter, 0, dtype=value.dtype)
    below = emitter.Max(emitter.Sub(margin, value), zero)
    apart = emitter.Where(emitter.Equal(target, 1), zero, below)
    together = emitter.Where(emitter.Equal(target, -1), zero, value)
    return reduced(emitter, emitter.Add(apart, together), reduction)


def ranking_margin(
    emitter: Emitter, input1: Value, input2: Value, target: Value, margin: float, reduction: int
) -> Value:
    """What the lead of one input over the other lacks of ``margin``."""
    first, second, sign = promote(emitter, input1, input2, target)
    (zero,) = promote(emitter, 0, dtype=first.dtype)
    lead = emitter.Mul(emitter.Neg(sign), emitter.Sub(first, second))
    return reduced(emitter, emitter.Max(emitter.Add(lead, margin), zero), reduction)


def poisson_likelihood(
    emitter: Emitter, input: Value, target: Value, log_input: bool, full: bool, eps: float, reduction: int
) -> Value:
    """Negative logarithm of the likelihood of counts by their rates."""
    value, wanted = promote(emitter, input, target)
    if log_input:
        losses = emitter.Sub(emitter.Exp(value), emitter.Mul(wanted, value))
    else:
        losses = emitter.Sub(value, emitter.Mul(wanted, emitter.Log(emitter.Add(value, eps))))
    if full:
        # Stirling's formula for the logarithm of the factorial.
        logs = emitter.Sub(emitter.Mul(wanted, emitter.Log(wanted)), wanted)
        factorial = emitter.Add(logs, emitter.Mul(emitter.Log(emitter.Mul(wanted, 2 * math.pi)), 0.5))
        (zero,) = promote(emitter, 0, dtype=wanted.dtype)
        losses = emitter.Add(losses, emitter.Where(emitter.LessOrEqual(wanted, 1.0), zero, factorial))
    return reduced(emitter, losses, reduction)
