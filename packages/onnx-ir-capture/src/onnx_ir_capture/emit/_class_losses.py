"""Losses of scores against classes."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, SymInt, Value
from onnx_ir_capture.emit._dtypes import dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._loss_reduction import REDUCTIONS, reduced
from onnx_ir_capture.emit._shapes import dimension, rank_of
from onnx_ir_capture.emit._softmax import softmax_over

__all__ = ["cross_entropy_of_classes", "likelihood_of_classes", "margins_of_class", "margins_of_classes"]


def likelihood_of_classes(
    emitter: Emitter, value: Value, target: Value, weight: Value | None, reduction: int, ignore_index: SymInt
) -> Value:
    """Negative logarithms of the likelihoods of classes."""
    batched = rank_of(emitter, value) > 1
    scores, classes = _with_batch(emitter, value, target)
    losses = emitter.NegativeLogLikelihoodLoss(
        scores,
        classes,
        weight,
        ignore_index=_constant(emitter, ignore_index),
        reduction=REDUCTIONS[reduction],
    )
    return losses if batched or reduction else emitter.Squeeze(losses, [0])


def _with_batch(emitter: Emitter, scores: Value, target: Value) -> tuple[Value, Value]:
    classes = emitter.cast(target, ir.DataType.INT64)
    if rank_of(emitter, scores) > 1:
        return scores, classes
    return emitter.Unsqueeze(scores, [0]), emitter.Unsqueeze(classes, [0])


def _constant(emitter: Emitter, ignore_index: SymInt) -> int:
    if not isinstance(ignore_index, int):
        emitter.refuse("its ignore_index is computed at run time, and ONNX takes a constant")
    return ignore_index


def cross_entropy_of_classes(
    emitter: Emitter,
    value: Value,
    target: Value,
    weight: Value | None,
    reduction: int,
    ignore_index: SymInt,
    label_smoothing: float,
) -> Value:
    """Cross entropy of scores with classes, or with the chances of all classes."""
    axis = 1 if rank_of(emitter, value) > 1 else 0
    if rank_of(emitter, value) == rank_of(emitter, target):
        return _of_probabilities(emitter, value, target, weight, reduction, axis, label_smoothing)
    if label_smoothing > 0:
        return _smoothed(
            emitter, value, target, weight, reduction, _constant(emitter, ignore_index), label_smoothing
        )
    scores, classes = _with_batch(emitter, value, target)
    losses = emitter.SoftmaxCrossEntropyLoss(
        scores,
        classes,
        weight,
        ignore_index=_constant(emitter, ignore_index),
        reduction=REDUCTIONS[reduction],
        outputs=1,
    )
    return losses if axis or reduction else emitter.Squeeze(losses, [0])


def _class_count(emitter: Emitter, value: Value, axis: int) -> Value:
    size, dtype = dimension(emitter, value, axis), dtype_of(emitter, value)
    return emitter.constant(size, dtype) if isinstance(size, int) else emitter.cast(size, dtype)


def _along(emitter: Emitter, weight: Value, rank: int, axis: int) -> Value:
    """One weight per class, to be multiplied with scores."""
    trailing = list(range(1, rank - axis))
    return emitter.Unsqueeze(weight, trailing) if trailing else weight


def _of_probabilities(
    emitter: Emitter,
    value: Value,
    target: Value,
    weight: Value | None,
    reduction: int,
    axis: int,
    label_smoothing: float,
) -> Value:
    logs = softmax_over(emitter, value, axis, log=True)
    if label_smoothing > 0:
        even = emitter.Div(label_smoothing, _class_count(emitter, value, axis))
        target = emitter.Add(emitter.Mul(target, 1 - label_smoothing), even)
    product = emitter.Mul(logs, target)
    if weight is not None:
        product = emitter.Mul(product, _along(emitter, weight, rank_of(emitter, value), axis))
    losses = emitter.Neg(emitter.ReduceSum(product, [axis], keepdims=0))
    return reduced(emitter, losses, reduction)


def _smoothed(
    emitter: Emitter,
    value: Value,
    target: Value,
    weight: Value | None,
    reduction: int,
    ignore_index: int,
    label_smoothing: float,
) -> Value:
    """The loss of the classes, and in a small part that of all classes alike."""
    batched = rank_of(emitter, value) > 1
    scores, classes = _with_batch(emitter, value, target)
    logs = softmax_over(emitter, scores, 1, log=True)
    sharp = likelihood_of_classes(emitter, logs, classes, weight, reduction, ignore_index)
    weighed = (
        logs if weight is None else emitter.Mul(logs, _along(emitter, weight, rank_of(emitter, scores), 1))
    )
    counted = emitter.Not(emitter.Equal(classes, ignore_index))
    zero = emitter.constant(0, dtype_of(emitter, logs))
    even = emitter.Where(counted, emitter.Neg(emitter.ReduceSum(weighed, [1], keepdims=0)), zero)
    if reduction:
        even = emitter.ReduceSum(even, keepdims=0)
    if reduction == 1:
        even = emitter.Div(
            even, emitter.ReduceSum(_shares(emitter, classes, counted, weight, logs), keepdims=0)
        )
    part = emitter.Mul(even, emitter.Div(label_smoothing, _class_count(emitter, scores, 1)))
    losses = emitter.Add(emitter.Mul(sharp, 1 - label_smoothing), part)
    return losses if batched or reduction else emitter.Squeeze(losses, [0])


def _shares(emitter: Emitter, classes: Value, counted: Value, weight: Value | None, like: Value) -> Value:
    """What each place counts in a mean: 1 or the weight of its class, and 0 where it is ignored."""
    if weight is None:
        return emitter.cast(counted, dtype_of(emitter, like))
    return emitter.Where(counted, emitter.Gather(weight, emitter.Where(counted, classes, 0), axis=0), 0.0)


def margins_of_class(
    emitter: Emitter,
    value: Value,
    target: Value,
    p: Scalar,
    margin: Scalar,
    weight: Value | None,
    reduction: int,
) -> Value:
    """What the lead of a class over each other one lacks of ``margin``."""
    if not isinstance(p, int | float) or not isinstance(margin, int | float):
        emitter.refuse("its order or its margin is computed at run time")
    batched = rank_of(emitter, value) > 1
    scores = value if batched else emitter.Reshape(value, [1, -1])
    classes = emitter.Reshape(target, [-1, 1])
    own = emitter.GatherElements(scores, classes, axis=1)
    zero = emitter.constant(0, dtype_of(emitter, value))
    excess = emitter.Max(emitter.Add(emitter.Sub(scores, own), float(margin)), zero)
    if p == 2:
        excess = emitter.Mul(excess, excess)
    if weight is not None:
        excess = emitter.Mul(excess, emitter.Gather(weight, classes, axis=0))
    others = emitter.Not(emitter.Equal(emitter.Range(0, dimension(emitter, scores, 1), 1), classes))
    total = emitter.ReduceSum(emitter.Where(others, excess, zero), [1], keepdims=0)
    losses = emitter.Div(total, _class_count(emitter, scores, 1))
    # Eager drops the axis of a single row; torch.export's program keeps it, and goes on with that.
    return reduced(emitter, losses, reduction)


def margins_of_classes(emitter: Emitter, value: Value, target: Value, reduction: int) -> Value:
    """What the leads of several classes over the other ones lack of 1."""
    scores, listed = value, emitter.cast(target, ir.DataType.INT64)
    if rank_of(emitter, value) < 2:
        scores, listed = emitter.Reshape(value, [1, -1]), emitter.Reshape(listed, [1, -1])
    # The classes of a row end at the first negative one.
    ended = emitter.CumSum(emitter.cast(emitter.Less(listed, 0), ir.DataType.INT64), emitter.constant(1))
    counts = emitter.Equal(ended, 0)
    classes = emitter.Where(counts, listed, 0)
    every = emitter.Range(0, dimension(emitter, scores, 1), 1)
    named = emitter.And(emitter.Equal(emitter.Unsqueeze(classes, [2]), every), emitter.Unsqueeze(counts, [2]))
    wanted = emitter.ReduceMax(emitter.cast(named, ir.DataType.INT64), [1])
    pairs = emitter.And(emitter.Unsqueeze(counts, [2]), emitter.Equal(wanted, 0))
    zero = emitter.constant(0, dtype_of(emitter, value))
    lead = emitter.Sub(
        emitter.Unsqueeze(emitter.GatherElements(scores, classes, axis=1), [2]),
        emitter.Unsqueeze(scores, [1]),
    )
    short = emitter.Where(pairs, emitter.Max(emitter.Sub(1.0, lead), zero), zero)
    losses = emitter.Div(emitter.ReduceSum(short, [1, 2], keepdims=0), _class_count(emitter, scores, 1))
    return reduced(
        emitter, losses if rank_of(emitter, value) > 1 else emitter.Squeeze(losses, [0]), reduction
    )
