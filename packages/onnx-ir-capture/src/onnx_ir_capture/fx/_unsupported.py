"""What the dialect has no form for, as a finding."""

from __future__ import annotations

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.dialect import Source
from onnx_ir_capture.lowering import source_location
from onnx_ir_capture.rules import UNSUPPORTED_CONSTRUCT

__all__ = ["report_construct"]


def report_construct(diagnostics: DiagnosticContext, source: Source, construct: str, reason: str) -> None:
    """Report a construct of the model, at its line; the import goes on with stand-ins for its results."""
    diagnostics.report(
        UNSUPPORTED_CONSTRUCT,
        location=source_location(source, construct),
        construct=construct,
        reason=reason,
        advice="write it with tensor operations, or compute it outside of the model",
    )
