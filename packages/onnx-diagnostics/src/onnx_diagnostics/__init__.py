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
from onnx_diagnostics._text import printable

if TYPE_CHECKING:
    from onnx_diagnostics._artifact import Artifact, ArtifactRole
    from onnx_diagnostics._atomic import write_text_atomically
    from onnx_diagnostics._fixes import Fix, Replacement
    from onnx_diagnostics._json_view import SarifError
    from onnx_diagnostics._sarif import iter_sarif, sarif_text, write_sarif
    from onnx_diagnostics._sarif_reader import parse_sarif, read_sarif
    from onnx_diagnostics._stacks import Stack
else:
    _HOMES = {
        "Artifact": "_artifact",
        "ArtifactRole": "_artifact",
        "Fix": "_fixes",
        "Replacement": "_fixes",
        "SarifError": "_json_view",
        "Stack": "_stacks",
        "iter_sarif": "_sarif",
        "parse_sarif": "_sarif_reader",
        "read_sarif": "_sarif_reader",
        "sarif_text": "_sarif",
        "write_sarif": "_sarif",
        "write_text_atomically": "_atomic",
    }

    def __getattr__(name: str) -> object:
        # Half of the import time would go to json, hashlib and urllib, which only logs need; and each
        # dataclass takes its half of a millisecond.
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        import importlib

        return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)


__all__ = [
    "Artifact",
    "ArtifactRole",
    "CaptureError",
    "ConversionError",
    "Diagnostic",
    "DiagnosticContext",
    "DiagnosticError",
    "ExporterInternalError",
    "Fix",
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
    "Replacement",
    "Rule",
    "RuleSet",
    "Run",
    "SarifError",
    "Stack",
    "Tool",
    "UnsupportedOperatorError",
    "VerificationError",
    "__version__",
    "iter_sarif",
    "parse_sarif",
    "printable",
    "read_sarif",
    "render_text",
    "sarif_text",
    "write_sarif",
    "write_text_atomically",
]
