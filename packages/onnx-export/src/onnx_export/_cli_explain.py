"""``onnx-export explain CODE``: what a finding's code means."""

from __future__ import annotations

import click

from onnx_export.rules import EXPORT_RULES
from onnx_ir_capture.rules import CAPTURE_RULES, LOWERING_RULES
from onnx_jitpasses.rules import PASS_RULES

__all__ = ["explain"]

_RULES = {
    rule.code: rule for rules in (CAPTURE_RULES, LOWERING_RULES, PASS_RULES, EXPORT_RULES) for rule in rules
}


@click.command("explain", epilog="Example: onnx-export explain LOW001")
@click.argument("code")
def explain(code: str) -> None:
    """Explain the code of a finding, such as LOW001."""
    rule = _RULES.get(code.strip().upper())
    if rule is None:
        raise click.BadParameter(f"no rule {code!r}; there are {', '.join(_RULES)}", param_hint="CODE")
    click.echo(f"{rule.code} {rule.name} ({rule.level.sarif_name})")
    for title, text in (
        ("Message", rule.message),
        ("Meaning", rule.description),
        ("Advice", rule.advice),
        ("Help", rule.help_uri),
    ):
        if text:
            click.echo(f"{title}: {text}")
