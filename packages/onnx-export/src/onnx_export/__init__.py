"""PyTorch models to ONNX: export(), ONNXProgram, verification and the command line."""

import importlib
from typing import TYPE_CHECKING

from onnx_export.__about__ import __version__

if TYPE_CHECKING:
    from onnx_export._export import export
    from onnx_export._exporter import DEFAULT_OPSET, DEFAULT_TABLES, Exporter
    from onnx_export._program import ONNXProgram
    from onnx_export._verify import TOLERANCES, Comparison, verify_program
else:
    # Programs that may export, but mostly do not, import this package: onnx, onnxscript and torch's export
    # machinery take seconds to load, so they come with the first name that needs them.
    _HOMES = {
        "DEFAULT_OPSET": "_exporter",
        "DEFAULT_TABLES": "_exporter",
        "TOLERANCES": "_verify",
        "Comparison": "_verify",
        "Exporter": "_exporter",
        "ONNXProgram": "_program",
        "export": "_export",
        "verify_program": "_verify",
    }

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *_HOMES})


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
