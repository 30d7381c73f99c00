"""ATen operators as ONNX translators written with onnxscript's builder, opset 18 to newest."""

from onnx_torchlib.__about__ import __version__
from onnx_torchlib._op import Op
from onnx_torchlib._registry import BASE_OPSET, TRANSLATORS, TranslatorTable, translator

__all__ = ["BASE_OPSET", "TRANSLATORS", "Op", "TranslatorTable", "__version__", "translator"]
