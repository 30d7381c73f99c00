"""PyTorch models to ONNX: export(), ONNXProgram, verification and the command line."""

from onnx_export.__about__ import __version__

__all__ = ["__version__"]
