"""PyTorch models to ONNX: export(), ONNXProgram, verification and the command line."""

import importlib
import random
from typing import TYPE_CHECKING

from onnx_export.__about__ import __version__

if TYPE_CHECKING:
    from onnx_export import symbolic_helper
    from onnx_export._compared_runs import Comparison
    from onnx_export._comparison import VerificationInfo, assert_onnx_program, verify_onnx_program
    from onnx_export._differences import TOLERANCES
    from onnx_export._export import dynamo_export, export
    from onnx_export._exportable import ExportableModule
    from onnx_export._exporter import (
        DEFAULT_FALLBACKS,
        DEFAULT_OPSET,
        DEFAULT_TABLES,
        SCRIPT_TABLES,
        Exporter,
    )
    from onnx_export._observer import InputObserver
    from onnx_export._program import ONNXProgram
    from onnx_export._torch_symbolics import register_custom_op_symbolic, unregister_custom_op_symbolic
    from onnx_export._verify import verify, verify_program
else:
    # Programs that may export, but mostly do not, import this package: onnx, onnxscript and torch's export
    # machinery take seconds to load, so they come with the first name that needs them.
    _HOMES = {
        "DEFAULT_FALLBACKS": "_exporter",
        "DEFAULT_OPSET": "_exporter",
        "DEFAULT_TABLES": "_exporter",
        "SCRIPT_TABLES": "_exporter",
        "TOLERANCES": "_differences",
        "Comparison": "_compared_runs",
        "ExportableModule": "_exportable",
        "Exporter": "_exporter",
        "InputObserver": "_observer",
        "ONNXProgram": "_program",
        "VerificationInfo": "_comparison",
        "assert_onnx_program": "_comparison",
        "dynamo_export": "_export",
        "export": "_export",
        "register_custom_op_symbolic": "_torch_symbolics",
        "unregister_custom_op_symbolic": "_torch_symbolics",
        "verify": "_verify",
        "verify_onnx_program": "_comparison",
        "verify_program": "_verify",
    }

    _MODULES = ("symbolic_helper",)

    def __getattr__(name: str) -> object:
        if name not in _HOMES and name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        state = random.getstate()
        try:
            module = importlib.import_module(f"{__name__}.{_HOMES.get(name, name)}")
            value = module if name in _MODULES else getattr(module, name)
        finally:
            random.setstate(state)  # some of what is loaded draws a number as it loads
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *_HOMES, *_MODULES})


__all__ = [
    "DEFAULT_FALLBACKS",
    "DEFAULT_OPSET",
    "DEFAULT_TABLES",
    "SCRIPT_TABLES",
    "TOLERANCES",
    "Comparison",
    "ExportableModule",
    "Exporter",
    "InputObserver",
    "ONNXProgram",
    "VerificationInfo",
    "__version__",
    "assert_onnx_program",
    "dynamo_export",
    "export",
    "register_custom_op_symbolic",
    "symbolic_helper",
    "unregister_custom_op_symbolic",
    "verify",
    "verify_onnx_program",
    "verify_program",
]
