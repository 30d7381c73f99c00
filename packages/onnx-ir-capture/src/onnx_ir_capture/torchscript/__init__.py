"""Capture through TorchScript: traces, scripts and archives as programs of the torch dialect."""

from onnx_ir_capture.torchscript._capture import Scriptable, capture_script

__all__ = ["Scriptable", "capture_script"]
