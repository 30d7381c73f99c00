from __future__ import annotations

import pickle

import pytest

from onnx_diagnostics import (
    CaptureError,
    ConversionError,
    DiagnosticContext,
    DiagnosticError,
    ExporterInternalError,
    Level,
    Location,
    OnnxExporterError,
    Rule,
    UnsupportedOperatorError,
    VerificationError,
)

UNSUPPORTED = Rule(
    "TST001",
    "unsupported-operator",
    Level.ERROR,
    "{op} has no translation",
    help_uri="https://example.org/TST001",
    advice="Register a translator for {op}.",
)


def _context(ops: int) -> DiagnosticContext:
    context = DiagnosticContext("checker", "1.0")
    for number in range(ops):
        for line in range(1, 6):
            place = Location.at(f"/model/{number}.py", line, module=f"layer.{number}")
            context.report(UNSUPPORTED, op=f"aten::op{number}", location=place)
    return context


def test_text_says_what_failed_where_and_what_to_do() -> None:
    error = UnsupportedOperatorError("1 operator cannot be exported.", _context(1), log_path="export.sarif")
    assert str(error).splitlines() == [
        "1 operator cannot be exported.",
        "error TST001 unsupported-operator: aten::op0 has no translation",
        "    /model/0.py:1  layer.0",
        "    /model/0.py:2  layer.0",
        "    /model/0.py:3  layer.0",
        "    /model/0.py:4  layer.0",
        "    /model/0.py:5  layer.0",
        "    help: Register a translator for aten::op0.",
        "    see: https://example.org/TST001",
        "The complete log: export.sarif",
    ]


def test_text_names_the_report_that_was_made_of_the_log() -> None:
    error = ExporterInternalError("It broke.", log_path="export.sarif")
    error.report_path = "export.html"
    assert str(error).splitlines()[-3:-1] == [
        "The complete log: export.sarif",
        "The same to read in a browser: export.html",
    ]


def test_text_names_forty_kinds_and_explains_the_first() -> None:
    lines = str(OnnxExporterError("40 operators cannot be exported.", _context(40))).splitlines()
    for number in range(40):
        start = lines.index(f"error TST001 unsupported-operator: aten::op{number} has no translation")
        assert lines[start + 1] == f"    /model/{number}.py:1  layer.{number}"
        assert lines[start + 4] == "    and 2 more"
    helps = [line for line in lines if line.startswith("    help")]
    assert helps == [f"    help: Register a translator for aten::op{number}." for number in range(3)]
    assert lines[-1] == "(of TST001, the advice on the other 37 is left out)"


def test_text_is_short_but_the_exception_has_everything() -> None:
    error = OnnxExporterError("100 operators cannot be exported.", _context(100))
    assert str(error).endswith("and 200 more diagnostics of 40 other kinds")
    assert len(error.diagnostics) == 500


def test_text_without_findings_is_the_message() -> None:
    assert str(OnnxExporterError("No such opset.")) == "No such opset."


def test_message_is_kept_apart_from_the_findings() -> None:
    assert CaptureError("It failed.", _context(1)).message == "It failed."


@pytest.mark.parametrize("kind", [CaptureError, ConversionError, UnsupportedOperatorError, VerificationError])
def test_failures_of_the_model_are_one_family(kind: type[OnnxExporterError]) -> None:
    assert issubclass(kind, OnnxExporterError)
    assert issubclass(kind, RuntimeError)


def test_operators_are_part_of_the_conversion() -> None:
    assert issubclass(UnsupportedOperatorError, ConversionError)


def test_internal_fault_is_no_failure_of_the_model_and_asks_for_a_report() -> None:
    error = ExporterInternalError("the verifier found a dangling value", log_path="export.sarif")
    assert not isinstance(error, (OnnxExporterError, RuntimeError))
    lines = str(error).splitlines()
    assert (
        lines[0] == "Internal error of the exporter, not of your model: the verifier found a dangling value"
    )
    assert "export.sarif" in str(error)
    assert lines[-1].startswith("Please report it")


def test_another_library_derives_its_own_error() -> None:
    class LintError(DiagnosticError):
        pass

    assert "aten::op0 has no translation" in str(LintError("The check failed.", _context(1)))


@pytest.mark.parametrize("kind", [UnsupportedOperatorError, ExporterInternalError])
def test_exception_crosses_a_process_boundary(kind: type[DiagnosticError]) -> None:
    error = kind("It failed.", _context(2), log_path="export.sarif")
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is kind
    assert copy.diagnostics == error.diagnostics
    assert str(copy) == str(error)
