"""Losses of scores against classes."""

from __future__ import annotations

from onnx_ir_capture.contracts import Scalar, SymInt, Value
from onnx_ir_capture.emit import (
    cross_entropy_of_classes,
    likelihood_of_classes,
    margins_of_class,
    margins_of_classes,
)
from onnx_torchlib import Op, translator

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
    return likelihood_of_classes(op, self, target, weight, reduction, ignore_index)


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
    return cross_entropy_of_classes(op, self, target, weight, reduction, ignore_index, label_smoothing)


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
    return margins_of_class(op, self, target, p, margin, weight, reduction)


@translator("aten::multilabel_margin_loss")
def multilabel_margin_loss(op: Op, self: Value, target: Value, reduction: int = 1) -> Value:
    """multilabel_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor"""
    return margins_of_classes(op, self, target, reduction)
