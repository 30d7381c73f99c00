"""ATen operators as ONNX translators written with onnxscript's builder, opset 18 to newest."""

from onnx_torchlib.__about__ import __version__

__all__ = ["__version__"]
