"""Operators whose axes moved from an attribute to an input."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.emit._calls import Operand
from onnx_ir_capture.emit._constants import constant_ints
from onnx_ir_capture.emit._emitter import Emitter, NodeOutput, form

__all__ = ["unsqueeze"]


@form("Unsqueeze")
def unsqueeze(emitter: Emitter, data: Operand, axes: Operand) -> NodeOutput:
    """Since 13: axes is an input. Since 11: axes may count from the back."""
    if emitter.opset >= 13:
        return emitter.node("Unsqueeze", [data, axes])
    positions = constant_ints(emitter, axes, "the axes of Unsqueeze", since=13)
    if emitter.opset < 11 and any(axis < 0 for axis in positions):
        rank = _rank(emitter, data) + len(positions)
        positions = tuple(axis % rank for axis in positions)
    return emitter.node("Unsqueeze", [data], {"axes": positions})


def _rank(emitter: Emitter, data: Operand) -> int:
    if not isinstance(data, ir.Value) or data.shape is None:
        emitter.refuse(f"an axis counts from the back, which opset {emitter.opset} takes only with a known rank", 11)
    return len(data.shape)
