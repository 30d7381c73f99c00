"""``onnx-export explain``: every code of the packages, and codes that there are not."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from onnx_diagnostics import Rule
from onnx_export.cli import main
from onnx_export.rules import EXPORT_RULES
from onnx_ir_capture.rules import CAPTURE_RULES, LOWERING_RULES
from onnx_jitpasses.rules import PASS_RULES

RULES = [*CAPTURE_RULES, *LOWERING_RULES, *PASS_RULES, *EXPORT_RULES]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_every_rule_is_explained(rule: Rule) -> None:
    result = CliRunner().invoke(main, ["explain", rule.code.lower()])
    assert result.exit_code == 0
    assert result.output.startswith(f"{rule.code} {rule.name} ({rule.level.sarif_name})\n")
    for text in (rule.message, rule.description, rule.advice, rule.help_uri):
        assert (text or "") in result.output


def test_an_unknown_code_lists_the_known_ones() -> None:
    result = CliRunner().invoke(main, ["explain", "XYZ999"])
    assert result.exit_code == 2
    assert "no rule 'XYZ999'" in result.output
    assert all(rule.code in result.output for rule in RULES)
