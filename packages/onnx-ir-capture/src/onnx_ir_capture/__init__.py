"""PyTorch programs captured as a torch dialect on onnx_ir, and the driver that lowers it to ONNX."""

from onnx_ir_capture.__about__ import __version__

__all__ = ["__version__"]
