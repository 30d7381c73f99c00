"""Diagnostics with stable codes and source locations, rendered for people and as SARIF 2.1.0."""

from onnx_diagnostics.__about__ import __version__
from onnx_diagnostics._context import DiagnosticContext, LocationSource
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
from onnx_diagnostics._run import Tool

__all__ = [
    "CaptureError",
    "ConversionError",
    "Diagnostic",
    "DiagnosticContext",
    "DiagnosticError",
    "ExporterInternalError",
    "Level",
    "Location",
    "LocationSource",
    "LogicalKind",
    "LogicalLocation",
    "OnnxExporterError",
    "PhysicalLocation",
    "PropertyValue",
    "Region",
    "Rule",
    "RuleSet",
    "Tool",
    "UnsupportedOperatorError",
    "VerificationError",
    "__version__",
    "render_text",
]
