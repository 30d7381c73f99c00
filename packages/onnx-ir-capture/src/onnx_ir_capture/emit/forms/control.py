"""Control flow."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.emit._calls import Argument
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._forms import NodeOutput, form

__all__ = ["loop"]


@form("Loop", reviewed=25)
def loop(
    emitter: Emitter,
    M: Argument | None,
    cond: Argument | None,
    *v_initial: Argument,
    body: ir.Graph,
    outputs: int,
) -> NodeOutput:
    """Since 11: a loop may do without carried values."""
    if emitter.opset < 11 and not v_initial:
        emitter.refuse("a loop that carries no value can be written from opset 11", 11)
    return emitter.node("Loop", [M, cond, *v_initial], {"body": body}, outputs)
