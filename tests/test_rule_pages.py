"""Every rule has a page, and every page a rule."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from onnx_diagnostics import DiagnosticContext, Rule, sarif_text
from onnx_export.rules import EXPORT_RULES
from onnx_ir_capture.rules import CAPTURE_RULES, LOWERING_RULES
from onnx_jitpasses.rules import PASS_RULES

PAGES = Path(__file__).parent.parent / "docs" / "rules"
RULES = [*CAPTURE_RULES, *LOWERING_RULES, *PASS_RULES, *EXPORT_RULES]


def test_codes_and_pages_are_the_same() -> None:
    assert sorted(rule.code for rule in RULES) == sorted(page.stem for page in PAGES.glob("*.md"))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_page_says_what_and_what_to_do(rule: Rule) -> None:
    text = (PAGES / f"{rule.code}.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {rule.code} {rule.name}\n")
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == ["Example", "What to do"]
    assert "```python\n" in text


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_log_has_the_address_of_the_page(rule: Rule) -> None:
    run = DiagnosticContext("onnx-export", "1.0").run(rules=[rule])
    (described,) = json.loads(sarif_text(run))["runs"][0]["tool"]["driver"]["rules"]
    assert described["helpUri"] == f"pkg:pypi/onnx-export#docs/rules/{rule.code}.md"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_rule_is_described_and_says_what_to_do(rule: Rule) -> None:
    assert rule.description
    assert rule.advice
