"""PyTorch models to ONNX: export(), ONNXProgram, verification and the command line."""

from onnx_export.__about__ import __version__
from onnx_export._export import export
from onnx_export._exporter import DEFAULT_OPSET, DEFAULT_TABLES, Exporter
from onnx_export._program import ONNXProgram
from onnx_export._verify import TOLERANCES, Comparison, verify_program

__all__ = [
    "DEFAULT_OPSET",
    "DEFAULT_TABLES",
    "TOLERANCES",
    "Comparison",
    "Exporter",
    "ONNXProgram",
    "__version__",
    "export",
    "verify_program",
]
