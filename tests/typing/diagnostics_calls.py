"""Calls of onnx_diagnostics that a type checker must accept, and wrong ones that it must reject."""

from __future__ import annotations

from typing_extensions import assert_type

from onnx_diagnostics import (
    Diagnostic,
    DiagnosticContext,
    ExporterInternalError,
    Level,
    Location,
    OnnxExporterError,
    Rule,
    RuleSet,
    UnsupportedOperatorError,
)

UNUSED = Rule("CAP001", "unused-input", Level.NOTE, "input {name!r} is never used")
Rule("CAP001", "unused-input", "note", "a level is no string")  # expect-error: arg-type
Rule("CAP001", "unused-input", Level.NOTE)  # expect-error: call-arg
UNUSED.code = "CAP002"  # expect-error: misc

rules = RuleSet("CAP", (UNUSED,))
RuleSet("CAP", ("CAP001",))  # expect-error: arg-type
assert_type(rules["CAP001"], Rule)
assert_type(list(rules), list[Rule])
rules["CAP001"] = UNUSED  # expect-error: index

context = DiagnosticContext("checker", "1.0")
DiagnosticContext("checker")  # expect-error: call-arg
with context.at(Location.at("model.py", 12, module="encoder.0")):
    assert_type(context.report(UNUSED, name="mask"), Diagnostic)
with context.at(lambda: None):
    context.report(UNUSED, name="mask", level=Level.WARNING, properties={"opset": 20, "dims": [1, 2]})
context.at("model.py:12")  # expect-error: arg-type
context.report("CAP001", name="mask")  # expect-error: arg-type
context.report(rule=UNUSED, name="mask")  # expect-error: call-arg
context.report(UNUSED, name="mask", level="warning")  # expect-error: arg-type
context.report(UNUSED, name="mask", properties={"weights": object()})  # expect-error: dict-item
context.diagnostics.append(context.report(UNUSED, name="mask"))  # expect-error: attr-defined
assert_type(context.errors, tuple[Diagnostic, ...])

error: OnnxExporterError = UnsupportedOperatorError("2 operators have no translation", context)
assert_type(error.diagnostics, tuple[Diagnostic, ...])
fault: OnnxExporterError = ExporterInternalError("a fault of ours is no error")  # expect-error: assignment
UnsupportedOperatorError("no", context, "log.sarif")  # expect-error: call-arg
