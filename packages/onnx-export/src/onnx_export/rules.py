"""Rules of the facade (EXP): arguments, checks, verification and saving."""

from __future__ import annotations

from onnx_diagnostics import Level, Rule, RuleSet

__all__ = [
    "ARGUMENT_IGNORED",
    "EXPORT_RULES",
    "INVALID_MODEL",
    "VERIFICATION_MISMATCH",
]

INVALID_MODEL = Rule(
    "EXP001",
    "invalid-model",
    Level.ERROR,
    "onnx.checker rejects the model: {reason}",
    description="The finished model breaks the ONNX specification. The exporter is at fault.",
    advice="report this as a bug with the log attached",
)
VERIFICATION_MISMATCH = Rule(
    "EXP002",
    "verification-mismatch",
    Level.ERROR,
    "output {output} differs from PyTorch at {sizes}: {difference}",
    description="ONNX Runtime and PyTorch give different results for the same inputs.",
    advice="report this as a bug with the log attached",
)
ARGUMENT_IGNORED = Rule(
    "EXP003",
    "argument-ignored",
    Level.WARNING,
    "the argument {argument} has no effect: {reason}",
    description="An argument of torch.onnx.export was given that this route does not need.",
    advice="leave it out",
)
EXPORT_RULES = RuleSet("EXP", (INVALID_MODEL, VERIFICATION_MISMATCH, ARGUMENT_IGNORED))
