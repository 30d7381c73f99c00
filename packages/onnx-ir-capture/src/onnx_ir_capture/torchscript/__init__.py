"""Capture through TorchScript: traces, scripts and archives as programs of the torch dialect."""

from onnx_ir_capture.torchscript._archives import load_archive
from onnx_ir_capture.torchscript._capture import Scriptable, capture_script
from onnx_ir_capture.torchscript._requests import requested_axes, requested_ranges
from onnx_ir_capture.torchscript._values import SCRIPT_DTYPES, SCRIPT_LAYOUTS, SCRIPT_MEMORY_FORMATS

__all__ = [
    "SCRIPT_DTYPES",
    "SCRIPT_LAYOUTS",
    "SCRIPT_MEMORY_FORMATS",
    "Scriptable",
    "capture_script",
    "load_archive",
    "requested_axes",
    "requested_ranges",
]
