"""Dropout."""

from __future__ import annotations

from onnx_ir_capture.contracts import Value
from onnx_torchlib import Op, translator

__all__ = ["dropout"]


@translator("aten::dropout", "aten::feature_dropout", "aten::alpha_dropout", "aten::feature_alpha_dropout")
def dropout(op: Op, input: Value, p: float, train: bool) -> Value:
    """dropout(Tensor input, float p, bool train) -> Tensor"""
    if train and p != 0:
        op.refuse("it drops elements at random; export the model in eval mode")
    return input
