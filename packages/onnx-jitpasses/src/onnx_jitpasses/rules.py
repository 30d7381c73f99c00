"""Rules of the passes (JIT): what they find."""

from __future__ import annotations

from onnx_diagnostics import Level, Rule, RuleSet

__all__ = ["IN_PLACE_WRITE", "PASS_RULES"]

IN_PLACE_WRITE = Rule(
    "JIT001",
    "in-place-write",
    Level.ERROR,
    "{op} writes in place, and this could not be made functional: {reason}",
    description="ONNX has no in-place writes. One is replaced by an operator that gives a new tensor where "
    "nothing else can see the written memory; this one may be seen.",
    advice="use the functional form in the model, such as x = x + y for x += y, or torch.where and "
    "torch.cat for a write to a part of a tensor",
)
PASS_RULES = RuleSet("JIT", (IN_PLACE_WRITE,))
