"""The example of the README, run as it stands there."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from onnx_diagnostics import DiagnosticError

README = Path(__file__).parents[1] / "README.md"


def _blocks(language: str) -> list[str]:
    return re.findall(
        rf"^```{language}\n(.*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )


def test_example_does_what_the_readme_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    *working, raising, reading = _blocks("python")
    (expected,) = _blocks("text")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "readme"}
    for block in working:
        exec(compile(block, str(README), "exec"), names)
    assert capsys.readouterr().out == expected
    with pytest.raises(DiagnosticError, match="The check failed") as caught:
        exec(compile(raising, str(README), "exec"), names)
    assert [found.rule.code for found in caught.value.diagnostics] == ["TDO001", "TDO002"]
    exec(compile(reading, str(README), "exec"), names)
    (run,) = json.loads((tmp_path / "todo.sarif").read_text(encoding="utf-8"))["runs"]
    regions = [result["locations"][0]["physicalLocation"]["region"] for result in run["results"]]
    assert [region["snippet"]["text"] for region in regions] == [
        "# TODO tidy up",
        "# TODO(kim) remove by 2019",
    ]
