"""Capture through TorchScript: traces, scripts and archives as programs of the torch dialect."""

from onnx_ir_capture.torchscript._capture import Scriptable, capture_script
from onnx_ir_capture.torchscript._requests import requested_axes, requested_ranges

__all__ = ["Scriptable", "capture_script", "requested_axes", "requested_ranges"]
