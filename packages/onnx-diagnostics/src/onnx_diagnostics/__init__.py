"""Diagnostics with stable codes and source locations, rendered for people and as SARIF 2.1.0."""

from __future__ import annotations

from typing import TYPE_CHECKING

from onnx_diagnostics.__about__ import __version__
from onnx_diagnostics._context import DiagnosticContext, LocationScope, LocationSource
from onnx_diagnostics._diagnostic import Diagnostic, PropertyValue
from onnx_diagnostics._errors import (
    CaptureError,
    ConversionError,
    DiagnosticError,
    ExporterInternalError,
    OnnxExporterError,
    UnsupportedOperatorError,
    VerificationError,
)
from onnx_diagnostics._locations import Location, LogicalKind, LogicalLocation, PhysicalLocation, Region
from onnx_diagnostics._render import render_text
from onnx_diagnostics._rules import Level, Rule, RuleSet
from onnx_diagnostics._run import Invocation, Run, Tool

if TYPE_CHECKING:
    from onnx_diagnostics._sarif import iter_sarif, sarif_text, write_sarif
else:

    def __getattr__(name: str) -> object:
        # Half of the import time would go to json, hashlib and urllib, which only the writer of logs needs.
        if name not in ("iter_sarif", "sarif_text", "write_sarif"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from onnx_diagnostics import _sarif

        return getattr(_sarif, name)


__all__ = [
    "CaptureError",
    "ConversionError",
    "Diagnostic",
    "DiagnosticContext",
    "DiagnosticError",
    "ExporterInternalError",
    "Invocation",
    "Level",
    "Location",
    "LocationScope",
    "LocationSource",
    "LogicalKind",
    "LogicalLocation",
    "OnnxExporterError",
    "PhysicalLocation",
    "PropertyValue",
    "Region",
    "Rule",
    "RuleSet",
    "Run",
    "Tool",
    "UnsupportedOperatorError",
    "VerificationError",
    "__version__",
    "iter_sarif",
    "render_text",
    "sarif_text",
    "write_sarif",
]
