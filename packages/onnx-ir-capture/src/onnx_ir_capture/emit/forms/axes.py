"""Operators whose axes moved from an attribute to an input, one after the other."""

from __future__ import annotations

from onnx_ir_capture.emit._calls import AttributeValue, Operand
from onnx_ir_capture.emit._constants import constant_ints, static_rank
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._forms import FormFunction, NodeOutput, form

__all__ = ["squeeze", "unsqueeze"]


@form("Unsqueeze", reviewed=25)
def unsqueeze(emitter: Emitter, data: Operand, axes: Operand) -> NodeOutput:
    """Since 13: axes is an input. Since 11: axes may count from the back."""
    if emitter.opset >= 13:
        return emitter.node("Unsqueeze", [data, axes])
    positions = constant_ints(emitter, axes, "the axes of Unsqueeze", since=13)
    if emitter.opset < 11 and any(axis < 0 for axis in positions):
        rank = static_rank(emitter, data, "Unsqueeze along a negative axis", since=11) + len(positions)
        positions = tuple(axis % rank for axis in positions)
    return emitter.node("Unsqueeze", [data], {"axes": sorted(positions)})


@form("Squeeze", reviewed=25)
def squeeze(emitter: Emitter, data: Operand, axes: Operand | None = None) -> NodeOutput:
    """Since 13: axes is an input."""
    if emitter.opset >= 13:
        return emitter.node("Squeeze", [data] if axes is None else [data, axes])
    if axes is None:
        return emitter.node("Squeeze", [data])
    return emitter.node("Squeeze", [data], {"axes": constant_ints(emitter, axes, "the axes of Squeeze", 13)})


def _reduction(op_type: str, since: int) -> FormFunction:
    def reduction(
        emitter: Emitter,
        data: Operand,
        axes: Operand | None = None,
        *,
        keepdims: int = 1,
        noop_with_empty_axes: int = 0,
    ) -> NodeOutput:
        attributes: dict[str, AttributeValue] = {"keepdims": keepdims}
        if emitter.opset >= since:
            if noop_with_empty_axes:
                attributes["noop_with_empty_axes"] = noop_with_empty_axes
            return emitter.node(op_type, [data] if axes is None else [data, axes], attributes)
        positions = () if axes is None else constant_ints(emitter, axes, f"the axes of {op_type}", since)
        if not positions and noop_with_empty_axes:
            emitter.refuse(f"{op_type} that keeps every axis can be written from opset {since}", since)
        if positions:
            attributes["axes"] = positions
        return emitter.node(op_type, [data], attributes)

    reduction.__doc__ = f"{op_type}. Since {since}: axes is an input, which may be empty for none."
    return reduction


form("ReduceSum", reviewed=13)(_reduction("ReduceSum", since=13))
for _op_type, _reviewed in {
    "ReduceL1": 18,
    "ReduceL2": 18,
    "ReduceLogSum": 28,
    "ReduceLogSumExp": 28,
    "ReduceMax": 20,
    "ReduceMean": 18,
    "ReduceMin": 20,
    "ReduceProd": 18,
    "ReduceSumSquare": 18,
}.items():
    form(_op_type, reviewed=_reviewed)(_reduction(_op_type, since=18))
