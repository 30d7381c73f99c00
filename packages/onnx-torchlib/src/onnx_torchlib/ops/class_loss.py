"""Losses of scores against classes."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, SymInt, Value
from onnx_ir_capture.emit import dimension, dtype_of, rank_of
from onnx_torchlib import Op, translator
from onnx_torchlib._reduction import REDUCTIONS, reduced
from onnx_torchlib.ops.activation import log_softmax

__all__ = ["cross_entropy_loss", "multi_margin_loss", "multilabel_margin_loss", "nll_loss"]


@translator("aten::nll_loss_nd", "aten::nll_loss", "aten::nll_loss2d")
def nll_loss(
    op: Op,
    self: Value,
    target: Value,
    weight: Value | None = None,
    reduction: int = 1,
    ignore_index: SymInt = -100,
) -> Value:
    """nll_loss_nd(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100) -> Tensor"""
    batched = rank_of(op, self) > 1
    scores, classes = _with_batch(op, self, target)
    losses = op.NegativeLogLikelihoodLoss(
        scores,
        classes,
        weight,
        ignore_index=_constant(op, ignore_index),
        reduction=REDUCTIONS[reduction],
    )
    return losses if batched or reduction else op.Squeeze(losses, [0])


def _with_batch(op: Op, scores: Value, target: Value) -> tuple[Value, Value]:
    classes = op.cast(target, ir.DataType.INT64)
    if rank_of(op, scores) > 1:
        return scores, classes
    return op.Unsqueeze(scores, [0]), op.Unsqueeze(classes, [0])


def _constant(op: Op, ignore_index: SymInt) -> int:
    if not isinstance(ignore_index, int):
        op.refuse("its ignore_index is computed at run time, and ONNX takes a constant")
    return ignore_index


@translator("aten::cross_entropy_loss")
def cross_entropy_loss(
    op: Op,
    self: Value,
    target: Value,
    weight: Value | None = None,
    reduction: int = 1,
    ignore_index: SymInt = -100,
    label_smoothing: float = 0.0,
) -> Value:
    """cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100, float label_smoothing=0.) -> Tensor"""
    axis = 1 if rank_of(op, self) > 1 else 0
    if rank_of(op, self) == rank_of(op, target):
        return _of_probabilities(op, self, target, weight, reduction, axis, label_smoothing)
    if label_smoothing > 0:
        return _smoothed(op, self, target, weight, reduction, _constant(op, ignore_index), label_smoothing)
    scores, classes = _with_batch(op, self, target)
    losses = op.SoftmaxCrossEntropyLoss(
        scores,
        classes,
        weight,
        ignore_index=_constant(op, ignore_index),
        reduction=REDUCTIONS[reduction],
        outputs=1,
    )
    return losses if axis or reduction else op.Squeeze(losses, [0])


def _class_count(op: Op, value: Value, axis: int) -> Value:
    size, dtype = dimension(op, value, axis), dtype_of(op, value)
    return op.constant(size, dtype) if isinstance(size, int) else op.cast(size, dtype)


def _along(op: Op, weight: Value, rank: int, axis: int) -> Value:
    """One weight per class, to be multiplied with scores."""
    trailing = list(range(1, rank - axis))
    return op.Unsqueeze(weight, trailing) if trailing else weight


def _of_probabilities(
    op: Op,
    self: Value,
    target: Value,
    weight: Value | None,
    reduction: int,
    axis: int,
    label_smoothing: float,
) -> Value:
    logs = log_softmax(op, self, axis)
    if label_smoothing > 0:
        even = op.Div(label_smoothing, _class_count(op, self, axis))
        target = op.Add(op.Mul(target, 1 - label_smoothing), even)
    product = op.Mul(logs, target)
    if weight is not None:
        product = op.Mul(product, _along(op, weight, rank_of(op, self), axis))
    losses = op.Neg(op.ReduceSum(product, [axis], keepdims=0))
    return reduced(op, losses, reduction)


def _smoothed(
    op: Op,
    self: Value,
    target: Value,
    weight: Value | None,
    reduction: int,
    ignore_index: int,
    label_smoothing: float,
) -> Value:
    """The loss of the classes, and in a small part that of all classes alike."""
    batched = rank_of(op, self) > 1
    scores, classes = _with_batch(op, self, target)
    logs = log_softmax(op, scores, 1)
    sharp = nll_loss(op, logs, classes, weight, reduction, ignore_index)
    weighed = logs if weight is None else op.Mul(logs, _along(op, weight, rank_of(op, scores), 1))
    counted = op.Not(op.Equal(classes, ignore_index))
    zero = op.constant(0, dtype_of(op, logs))
    even = op.Where(counted, op.Neg(op.ReduceSum(weighed, [1], keepdims=0)), zero)
    if reduction:
        even = op.ReduceSum(even, keepdims=0)
    if reduction == 1:
        even = op.Div(even, op.ReduceSum(_shares(op, classes, counted, weight, logs), keepdims=0))
    part = op.Mul(even, op.Div(label_smoothing, _class_count(op, scores, 1)))
    losses = op.Add(op.Mul(sharp, 1 - label_smoothing), part)
    return losses if batched or reduction else op.Squeeze(losses, [0])


def _shares(op: Op, classes: Value, counted: Value, weight: Value | None, like: Value) -> Value:
    """What each place counts in a mean: 1 or the weight of its class, and 0 where it is ignored."""
    if weight is None:
        return op.cast(counted, dtype_of(op, like))
    return op.Where(counted, op.Gather(weight, op.Where(counted, classes, 0), axis=0), 0.0)


@translator("aten::multi_margin_loss")
def multi_margin_loss(
    op: Op,
    self: Value,
    target: Value,
    p: Scalar = 1,
    margin: Scalar = 1,
    weight: Value | None = None,
    reduction: int = 1,
) -> Value:
    """multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? weight=None, int reduction=1) -> Tensor"""
    if not isinstance(p, int | float) or not isinstance(margin, int | float):
        op.refuse("its order or its margin is computed at run time")
    batched = rank_of(op, self) > 1
    scores = self if batched else op.Reshape(self, [1, -1])
    classes = op.Reshape(target, [-1, 1])
    own = op.GatherElements(scores, classes, axis=1)
    zero = op.constant(0, dtype_of(op, self))
    excess = op.Max(op.Add(op.Sub(scores, own), float(margin)), zero)
    if p == 2:
        excess = op.Mul(excess, excess)
    if weight is not None:
        excess = op.Mul(excess, op.Gather(weight, classes, axis=0))
    others = op.Not(op.Equal(op.Range(0, dimension(op, scores, 1), 1), classes))
    total = op.ReduceSum(op.Where(others, excess, zero), [1], keepdims=0)
    losses = op.Div(total, _class_count(op, scores, 1))
    # Eager drops the axis of a single row; torch.export's program keeps it, and goes on with that.
    return reduced(op, losses, reduction)


@translator("aten::multilabel_margin_loss")
def multilabel_margin_loss(op: Op, self: Value, target: Value, reduction: int = 1) -> Value:
    """multilabel_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor"""
    scores, listed = self, op.cast(target, ir.DataType.INT64)
    if rank_of(op, self) < 2:
        scores, listed = op.Reshape(self, [1, -1]), op.Reshape(listed, [1, -1])
    # The classes of a row end at the first negative one.
    ended = op.CumSum(op.cast(op.Less(listed, 0), ir.DataType.INT64), op.constant(1))
    counts = op.Equal(ended, 0)
    classes = op.Where(counts, listed, 0)
    every = op.Range(0, dimension(op, scores, 1), 1)
    named = op.And(op.Equal(op.Unsqueeze(classes, [2]), every), op.Unsqueeze(counts, [2]))
    wanted = op.ReduceMax(op.cast(named, ir.DataType.INT64), [1])
    pairs = op.And(op.Unsqueeze(counts, [2]), op.Equal(wanted, 0))
    zero = op.constant(0, dtype_of(op, self))
    lead = op.Sub(op.Unsqueeze(op.GatherElements(scores, classes, axis=1), [2]), op.Unsqueeze(scores, [1]))
    short = op.Where(pairs, op.Max(op.Sub(1.0, lead), zero), zero)
    losses = op.Div(op.ReduceSum(short, [1, 2], keepdims=0), _class_count(op, scores, 1))
    return reduced(op, losses if rank_of(op, self) > 1 else op.Squeeze(losses, [0]), reduction)
