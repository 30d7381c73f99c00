"""Exceptions that carry what was found."""

from __future__ import annotations

from collections.abc import Iterable

from onnx_diagnostics._diagnostic import Diagnostic
from onnx_diagnostics._render import render_text

__all__ = [
    "CaptureError",
    "ConversionError",
    "DiagnosticError",
    "ExporterInternalError",
    "OnnxExporterError",
    "UnsupportedOperatorError",
    "VerificationError",
]

_GROUPS_IN_TEXT = 60
_EXPLAINED_IN_TEXT = 3

# All places are named where there are so many; else so many of each group.
_PLACES_IN_TEXT = 60
_PLACES_OF_GROUP = 3


class DiagnosticError(Exception):
    """Base of exceptions that carry diagnostics; a library of its own derives its errors from it.

    Attributes:
        diagnostics: everything that was found, not only what the text has room for.
        log_path: file of the complete log, when one was written; the text then names it.
        report_path: file of the same for people, likewise.
    """

    def __init__(
        self, message: str, diagnostics: Iterable[Diagnostic] = (), *, log_path: str | None = None
    ) -> None:
        """Build the exception.

        Args:
            message: what failed, in one sentence.
            diagnostics: what was found.
            log_path: file of the complete log.
        """
        super().__init__(message)
        self.diagnostics = tuple(diagnostics)
        self.log_path = log_path
        self.report_path: str | None = None

    @property
    def message(self) -> str:
        """What failed, without the list of findings."""
        return str(self.args[0])

    def __str__(self) -> str:
        found = render_text(
            self.diagnostics,
            max_groups=_GROUPS_IN_TEXT,
            max_places=None if len(self.diagnostics) <= _PLACES_IN_TEXT else _PLACES_OF_GROUP,
            max_explained=_EXPLAINED_IN_TEXT,
        )
        log = "" if self.log_path is None else f"The complete log: {self.log_path}"
        report = "" if self.report_path is None else f"The same to read in a browser: {self.report_path}"
        return "\n".join(text for text in (self.message, found, log, report) if text)


class OnnxExporterError(DiagnosticError, RuntimeError):
    """An export failed because of the model, its arguments or the request; the text says what to do."""


class CaptureError(OnnxExporterError):
    """The model could not be captured as a graph."""


class ConversionError(OnnxExporterError):
    """The captured graph could not be turned into an ONNX model."""


class UnsupportedOperatorError(ConversionError):
    """Operators of the model have no translation; `diagnostics` lists each with its place."""


class VerificationError(OnnxExporterError):
    """The ONNX model does not compute what the PyTorch model computes."""


class ExporterInternalError(DiagnosticError):
    """The exporter itself is at fault: neither the model nor its caller can do anything about it.

    It is no `OnnxExporterError`, so that code which handles models that cannot be exported lets it through.
    """

    def __str__(self) -> str:
        ask = "Please report it, with this text and the SARIF log of the export attached."
        return f"Internal error of the exporter, not of your model: {super().__str__()}\n{ask}"
