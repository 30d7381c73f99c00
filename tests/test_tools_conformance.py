"""The sweep over PyTorch's own operator samples: one operator, and a report of made-up findings."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

pytest.importorskip("expecttest", reason="PyTorch's operator samples need it")

TOOLS = Path(__file__).parent.parent / "tools"


@pytest.fixture(autouse=True)
def _tools_importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(TOOLS))


@pytest.mark.parametrize("dynamo", [True, False])
def test_samples_are_exported_and_compared(dynamo: bool) -> None:
    run = importlib.import_module("_conformance_run")
    samples = importlib.import_module("_conformance_samples")
    settings = run.Settings(opset=20, dynamo=dynamo, dynamic=True, most=2, seconds=60)

    assert samples.entries("cumsum")
    findings = run.judge("cumsum", settings)

    assert [finding.verdict for finding in findings] == [run.Verdict.OK] * 2, findings
    right = next(samples.calls_of("cumsum", 1))
    wrong = samples.Sample(right.text, right.call, tuple(-leaf for leaf in right.expected), is_random=False)
    verdict, text = run._verdict(wrong, settings)
    assert verdict is run.Verdict.DIFFERS
    assert "not close" in text


def test_a_report_has_the_worst_of_each_operator() -> None:
    conformance = importlib.import_module("conformance")
    run = importlib.import_module("_conformance_run")
    findings = [
        run.Finding("a", "1", run.Verdict.OK),
        run.Finding("a", "2", run.Verdict.DIFFERS, "by\n  1"),
        run.Finding("a", "3", run.Verdict.REFUSED, "no"),
        run.Finding("b", "1", run.Verdict.OK),
        run.Finding("c", "1", run.Verdict.REFUSED, "no"),
    ]

    assert list(conformance.report(findings)) == [
        "refused   c: no",
        "differs   a (others pass): by 1",
        "3 operators: 1 ok, 0 skipped, 1 refused, 0 rejected, 0 fault, 1 differs",
        "1 of those that are not ok pass in part",
    ]
