"""Rules of capture (CAP) and of lowering (LOW): what these stages can find."""

from __future__ import annotations

from onnx_diagnostics import Level, Rule, RuleSet

__all__ = [
    "CAPTURE_FAILED",
    "CAPTURE_RULES",
    "LOWERING_FAULT",
    "LOWERING_RULES",
    "UNSUPPORTED_ARGUMENTS",
    "UNSUPPORTED_CONSTRUCT",
    "UNSUPPORTED_OPERATOR",
]

CAPTURE_FAILED = Rule(
    "CAP001",
    "capture-failed",
    Level.ERROR,
    "the model could not be captured as a graph: {reason}",
    description="torch.export could not turn the model's forward into a graph.",
    advice="{advice}",
)
UNSUPPORTED_CONSTRUCT = Rule(
    "CAP002",
    "unsupported-construct",
    Level.ERROR,
    "{construct} is not supported: {reason}",
    description="The captured program holds a construct that the torch dialect cannot express yet.",
    advice="{advice}",
)
CAPTURE_RULES = RuleSet("CAP", (CAPTURE_FAILED, UNSUPPORTED_CONSTRUCT))

UNSUPPORTED_OPERATOR = Rule(
    "LOW001",
    "unsupported-operator",
    Level.ERROR,
    "{op} has no translation to ONNX opset {opset}{hint}",
    description="No table of translations holds the operator for the opset that was asked for.",
    advice="replace the call, or translate it with custom_translation_table={{torch.ops....: function}}",
)
UNSUPPORTED_ARGUMENTS = Rule(
    "LOW002",
    "unsupported-arguments",
    Level.ERROR,
    "{op} cannot be exported: {reason}",
    description="The operator is translated, but not for these arguments, dtypes or this opset.",
    advice="change the call, or raise opset_version where the reason names an opset",
)
LOWERING_FAULT = Rule(
    "LOW003",
    "lowering-fault",
    Level.ERROR,
    "the translation of {op} ({table}) is at fault: {reason}",
    description="A translation raised, or returned values that contradict the captured program.",
    advice="report this as a bug with the log attached; a custom translation may stand in meanwhile",
)
LOWERING_RULES = RuleSet("LOW", (UNSUPPORTED_OPERATOR, UNSUPPORTED_ARGUMENTS, LOWERING_FAULT))
