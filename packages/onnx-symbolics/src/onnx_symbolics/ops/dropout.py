"""Dropout."""

from __future__ import annotations

from onnx_ir_capture.contracts import Value
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["dropout", "feature_dropout"]


@symbolic("aten::dropout")
def dropout(g: SymbolicContext, input: Value, p: float, train: bool) -> Value:
    """dropout(Tensor input, float p, bool train) -> Tensor

    One that is in training mode by the model's own words drops in the file, too, other elements in every run.
    """
    if not train or p == 0:
        return input
    if p == 1:
        return g.Mul(input, 0.0)  # Dropout takes ratios below 1 alone
    return g.Dropout(input, p, True)


@symbolic("aten::feature_dropout", "aten::alpha_dropout", "aten::feature_alpha_dropout")
def feature_dropout(g: SymbolicContext, input: Value, p: float, train: bool) -> Value:
    """feature_dropout(Tensor input, float p, bool train) -> Tensor"""
    if train and p != 0:
        g.refuse(
            "it drops at random (train=True) what ONNX's Dropout does not; export the model in eval mode"
        )
    return input
