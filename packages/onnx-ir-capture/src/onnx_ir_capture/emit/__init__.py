"""ONNX operators by capability: a lowering names the operator's newest form, emit writes the target's."""

from onnx_ir_capture.emit._emitter import Emitter, EmitResult, NodeInput, form
from onnx_ir_capture.emit._frame import GraphFrame

__all__ = ["EmitResult", "Emitter", "GraphFrame", "NodeInput", "form"]
