"""ATen operators as per-opset ONNX symbolic functions, opset 9 to newest, torch-free."""

from onnx_symbolics.__about__ import __version__

__all__ = ["__version__"]
