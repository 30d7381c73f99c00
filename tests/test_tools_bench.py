from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import pytest

pytest.importorskip("transformers", reason="the models come from transformers")

TOOLS = Path(__file__).parent.parent / "tools"


@pytest.fixture
def _tools_importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(TOOLS))


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is read from /proc")
@pytest.mark.usefixtures("_tools_importable")
@pytest.mark.parametrize("route", ["torch.export", "torchscript"])
def test_bench_measures_a_small_model(route: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bench = importlib.import_module("bench")
    file = tmp_path / "bench.json"

    bench.main(
        [
            "--small",
            "--models",
            "bert-base",
            "--repeat",
            "1",
            "--no-imports",
            "--json",
            str(file),
            "--route",
            route,
        ]
    )

    model = json.loads(file.read_text(encoding="utf-8"))["models"]["bert-base"]
    assert model["errors"] == {}
    figures, measured = model["figures"], model["measured"]
    assert measured["ours"]["bytes"] > measured["capture"]["weights"] > 0
    assert set(measured["stages"]) == {"capture", "passes", "lowering", "finish", "check", "save"}
    assert figures["difference to eager"] <= 1e-4
    assert figures["nodes"] > 0
    assert figures["torch / ours"] == measured["torch"]["seconds"] / measured["ours"]["seconds"]
    assert "difference to eager" in capsys.readouterr().out


@pytest.mark.usefixtures("_tools_importable")
def test_bench_reports_what_failed_and_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    report, console = importlib.import_module("_bench_report"), importlib.import_module("rich.console")
    measured = {
        "capture": {"seconds": 1.0, "write": 0.5, "weights": 1e8},
        "ours": {"seconds": 3.0, "nodes": 7, "bytes": 1e8},
        "ours_memory": {"peak": 2e7},
    }

    report.show(
        console.Console(width=200), "torch.export", {"some": measured}, {}, {"some": {"torch": "it broke"}}
    )

    lines = {line[:30].strip(): line for line in capsys.readouterr().out.splitlines()}
    assert "2.00 OVER" in lines["export / (capture + write)"]
    assert "0.20 OVER" in lines["memory / weights"]
    assert " - " in lines["torch / ours"]
    assert any("some, torch: it broke" in line for line in lines.values())


@pytest.mark.usefixtures("_tools_importable")
@pytest.mark.parametrize(
    ("at_least", "value", "holds"), [(False, 1.5, True), (False, 1.6, False), (True, 1.4, False)]
)
def test_bench_budget(at_least: bool, value: float, holds: bool) -> None:
    budget = importlib.import_module("_bench_report").Budget(1.5, at_least)
    assert budget.holds(value) is holds


@pytest.mark.usefixtures("_tools_importable")
def test_bench_reports_what_diagnostics_cost() -> None:
    costs = importlib.import_module("_bench_diagnostics").diagnostics_costs(calls=10)
    assert {name for name in costs if name.endswith("nothing reported")} == {
        "a location, nothing reported",
        "a stage, nothing reported",
    }
    assert all(0 < seconds < 1 for seconds in costs.values())
