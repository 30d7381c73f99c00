"""What a log and a text say of places that are hard to name or to quote."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypedDict

import pytest

from onnx_diagnostics import (
    DiagnosticContext,
    Level,
    Location,
    LogicalKind,
    LogicalLocation,
    Rule,
    Stack,
    read_sarif,
    render_text,
    sarif_text,
    write_sarif,
)

BROKEN = Rule("TST001", "broken", Level.ERROR, "{name} is broken")


class _Place(TypedDict):
    physicalLocation: dict[str, dict[str, object]]
    logicalLocations: list[dict[str, str]]


def _written(context: DiagnosticContext, base: Path) -> _Place:
    """The place of the only result, after a way through a file and back."""
    write_sarif(context.run(base=base), base / "log.sarif")
    (run,) = read_sarif(base / "log.sarif")
    assert sarif_text(run) == (base / "log.sarif").read_text(encoding="utf-8")
    (result,) = json.loads((base / "log.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
    place: _Place = result["locations"][0]
    return place


@pytest.fixture
def context() -> DiagnosticContext:
    return DiagnosticContext("checker", "1.0")


def test_a_file_inside_is_relative_and_quoted(context: DiagnosticContext, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "model.py").write_text("first\nsecond = relu(x)\n", encoding="utf-8")
    context.report(BROKEN, name="x", location=Location.at(tmp_path / "sub" / "model.py", 2))
    assert _written(context, tmp_path)["physicalLocation"] == {
        "artifactLocation": {"uri": "sub/model.py", "uriBaseId": "SRCROOT", "index": 0},
        "region": {"startLine": 2, "snippet": {"text": "second = relu(x)"}},
    }


def test_a_file_outside_of_the_workspace_has_its_whole_address(
    context: DiagnosticContext, tmp_path: Path
) -> None:
    (outside := tmp_path / "other place").mkdir()
    (base := tmp_path / "work").mkdir()
    (outside / "model.py").write_text("x = 1\n", encoding="utf-8")
    context.report(BROKEN, name="x", location=Location.at(outside / "model.py", 1))
    assert _written(context, base)["physicalLocation"] == {
        "artifactLocation": {"uri": f"file://{tmp_path}/other%20place/model.py", "index": 0},
        "region": {"startLine": 1, "snippet": {"text": "x = 1"}},
    }
    assert f"    {outside / 'model.py'}:1" in render_text(context, base=base).splitlines()


def test_a_source_that_is_gone_has_its_line_and_no_text(context: DiagnosticContext, tmp_path: Path) -> None:
    context.report(BROKEN, name="x", location=Location.at(tmp_path / "gone.py", 7))
    assert _written(context, tmp_path)["physicalLocation"]["region"] == {"startLine": 7}
    assert "    gone.py:7" in render_text(context, base=tmp_path).splitlines()


def test_a_source_that_is_not_utf_8_is_quoted_as_far_as_it_goes(
    context: DiagnosticContext, tmp_path: Path
) -> None:
    (tmp_path / "model.py").write_bytes(b"x = 1\ny = '\xe9'\n")
    context.report(BROKEN, name="x", location=Location.at(tmp_path / "model.py", 2))
    region = _written(context, tmp_path)["physicalLocation"]["region"]
    assert region == {"startLine": 2, "snippet": {"text": "y = '\ufffd'"}}


def test_control_characters_of_names_are_written_out(context: DiagnosticContext, tmp_path: Path) -> None:
    place = Location.at(tmp_path / "a\x1b[31m\n.py", 1, module="layer\r0", op="my::\x00op")
    context.report(BROKEN, name="\x1b]0;title\x07", location=place)
    written = _written(context, tmp_path)
    assert written["physicalLocation"]["artifactLocation"]["uri"] == "a%1B%5B31m%0A.py"
    assert [named["fullyQualifiedName"] for named in written["logicalLocations"]] == [
        "layer\\r0",
        "my::\\x00op",
    ]
    lines = render_text(context, base=tmp_path).splitlines()
    assert lines[0] == "error TST001 broken: \\x1b]0;title\\x07 is broken"
    assert lines[1] == "    a\\x1b[31m\\n.py:1  layer\\r0  my::\\x00op"


def test_what_is_written_alike_is_written_once(context: DiagnosticContext) -> None:
    # The schema wants stacks and names that differ.
    names = [LogicalLocation(LogicalKind.MODULE, text) for text in ("a\r", "a\\r")]
    stacks = [Stack((Location.at(path, 1),)) for path in ("/w/a.py", "/w/./a.py")]
    context.report(BROKEN, name="x", location=Location(None, tuple(names)), stacks=stacks)
    (result,) = json.loads(sarif_text(context.run(base="/w")))["runs"][0]["results"]
    assert len(result["stacks"]) == 1
    assert len(result["locations"][0]["logicalLocations"]) == 1
