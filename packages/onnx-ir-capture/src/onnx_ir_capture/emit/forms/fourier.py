"""Fourier transforms, whose axis moved from an attribute to an input."""

from __future__ import annotations

from onnx_ir_capture.emit._calls import Argument, AttributeValue
from onnx_ir_capture.emit._constants import constant_ints
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._forms import NodeOutput, form

__all__ = ["dft"]


@form("DFT", reviewed=20)
def dft(
    emitter: Emitter,
    input_: Argument,
    dft_length: Argument | None = None,
    axis: Argument | None = None,
    *,
    inverse: int = 0,
    onesided: int = 0,
) -> NodeOutput:
    """Since 20: axis is an input, and the last one of the signal by default."""
    attributes: dict[str, AttributeValue] = {"inverse": inverse, "onesided": onesided}
    if emitter.opset >= 20:
        return emitter.node("DFT", [input_, dft_length, axis], attributes)
    if axis is not None:
        attributes["axis"] = constant_ints(emitter, axis, "the axis of DFT", since=20)[0]
    return emitter.node("DFT", [input_, dft_length], attributes)
