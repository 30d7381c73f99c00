"""ATen operators as per-opset ONNX symbolic functions, opset 9 to newest, torch-free."""

from onnx_symbolics.__about__ import __version__
from onnx_symbolics._context import SymbolicContext
from onnx_symbolics._registry import BASE_OPSET, SYMBOLICS, OpsetRegistry, symbolic

__all__ = ["BASE_OPSET", "SYMBOLICS", "OpsetRegistry", "SymbolicContext", "__version__", "symbolic"]
