"""Rules of capture and lowering: each has its page, and each page its rule."""

from __future__ import annotations

import pathlib
import re

import pytest

from onnx_diagnostics import Rule
from onnx_ir_capture.rules import CAPTURE_RULES, LOWERING_RULES

PAGES = pathlib.Path(__file__).parents[3] / "docs" / "rules"
RULES = [*CAPTURE_RULES, *LOWERING_RULES]

pytestmark = pytest.mark.skipif(not PAGES.is_dir(), reason="the tests of a source archive run without docs")


def test_every_page_has_a_rule() -> None:
    pages = {path.stem for path in PAGES.glob("*.md") if path.stem[:3] in ("CAP", "LOW")}
    assert pages == {rule.code for rule in RULES}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_page_says_what_is_wrong_and_what_to_do(rule: Rule) -> None:
    text = (PAGES / f"{rule.code}.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {rule.code} {rule.name}\n")
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == ["Example", "What to do"]
    assert "```python\n" in text


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_rule_is_described(rule: Rule) -> None:
    assert rule.description
    assert rule.advice
