"""``onnx-export report``: a log as text, and what it says of files that are no logs."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from onnx_diagnostics import DiagnosticContext, Location, write_sarif
from onnx_export.cli import main
from onnx_export.rules import NO_OUTPUTS


def test_the_findings_of_a_log_are_shown(tmp_path: Path) -> None:
    context = DiagnosticContext("onnx-export", "1.0")
    context.report(NO_OUTPUTS, returned="None", location=Location.at("model.py", 3))
    write_sarif(context.run(base=tmp_path), tmp_path / "log.sarif")
    result = CliRunner().invoke(main, ["report", str(tmp_path / "log.sarif")])
    assert result.exit_code == 0, result.output
    assert result.output.startswith("onnx-export 1.0 failed, 1 findings\nerror EXP026 no-outputs: ")
    assert "    model.py:3\n" in result.output


def test_a_truncated_log_is_told(tmp_path: Path) -> None:
    (tmp_path / "log.sarif").write_text('{"version": "2.1.0", "runs": [', encoding="utf-8")
    result = CliRunner().invoke(main, ["report", str(tmp_path / "log.sarif")])
    assert result.exit_code == 1
    assert "truncated" in result.output
