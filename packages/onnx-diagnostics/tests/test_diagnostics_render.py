from __future__ import annotations

from pathlib import Path

import pytest

from onnx_diagnostics import (
    DiagnosticContext,
    Level,
    Location,
    LogicalKind,
    LogicalLocation,
    Rule,
    render_text,
)

UNUSED = Rule("TST001", "unused-input", Level.NOTE, "input {name} is unused")
BROKEN = Rule("TST002", "broken-node", Level.ERROR, "node {name} is broken", advice="Mend it.\nOr not.")


@pytest.fixture
def context() -> DiagnosticContext:
    return DiagnosticContext("checker", "1.0")


def test_groups_stand_gravest_first_and_hold_their_places(context: DiagnosticContext) -> None:
    context.report(UNUSED, name="mask")
    for line in (3, 4, 3):
        place = Location.at(
            "/w/model.py", line, module="enc.0", class_name="Att", function="forward", op="aten::x"
        )
        context.report(BROKEN, name="relu", location=place)
    assert render_text(context, base="/w").splitlines() == [
        "error TST002 broken-node: node relu is broken",
        "    model.py:3  enc.0  (Att.forward)  aten::x  (2 times)",
        "    model.py:4  enc.0  (Att.forward)  aten::x",
        "    help: Mend it.",
        "        Or not.",
        "note TST001 unused-input: input mask is unused",
    ]


def test_pages_that_a_terminal_opens_are_shown(context: DiagnosticContext) -> None:
    for number, uri in enumerate(("https://example.org/{code}", "pkg:pypi/example#docs/{code}.md"), start=1):
        rule = Rule(f"TST{number:03}", f"rule-{number}", Level.NOTE, "found", help_uri=uri)
        context.report(rule)
    assert render_text(context).splitlines() == [
        "note TST001 rule-1: found",
        "    see: https://example.org/TST001",
        "note TST002 rule-2: found",
    ]


def test_different_messages_are_different_groups(context: DiagnosticContext) -> None:
    context.report(UNUSED, name="a")
    context.report(UNUSED, name="b")
    assert render_text(context).splitlines() == [
        "note TST001 unused-input: input a is unused",
        "note TST001 unused-input: input b is unused",
    ]


def test_limits_say_how_much_is_left_out(context: DiagnosticContext) -> None:
    for line in range(1, 6):
        context.report(UNUSED, name="a", location=Location.at("/w/model.py", line))
    context.report(UNUSED, name="b")
    context.report(UNUSED, name="c")
    assert render_text(context, max_groups=1, max_places=2).splitlines() == [
        "note TST001 unused-input: input a is unused",
        "    /w/model.py:1",
        "    /w/model.py:2",
        "    and 3 more",
        "and 2 more diagnostics of 2 other kinds",
    ]
    assert len(render_text(context, max_places=None).splitlines()) == 8


def test_nothing_is_the_empty_text(context: DiagnosticContext) -> None:
    assert render_text(context) == ""


def test_related_places_of_a_single_finding_are_shown(context: DiagnosticContext) -> None:
    first = Location.at("/w/other.py", 9, message="first used here")
    context.report(UNUSED, name="a", location=Location.at("/w/model.py", 1), related=[first])
    assert render_text(context, base="/w").splitlines()[1:] == [
        "    model.py:1",
        "    first used here: other.py:9",
    ]


def test_names_of_other_kinds_are_shown(context: DiagnosticContext) -> None:
    context.report(UNUSED, name="a", location=Location(None, (LogicalLocation(LogicalKind.VARIABLE, "x.1"),)))
    assert render_text(context).splitlines()[1] == "    x.1"


def test_a_location_that_says_nothing_takes_no_line(context: DiagnosticContext) -> None:
    context.report(UNUSED, name="a", location=Location.named())
    assert len(render_text(context).splitlines()) == 1


def test_names_cannot_steer_a_terminal_or_pose_as_another_line(context: DiagnosticContext) -> None:
    name = "a\x1b[31m\x00\u202e\u2028\udc80é 名"
    context.report(UNUSED, name=name, location=Location.at("/w/a\nb.py", 1, module="m\r\nn"))
    assert render_text(context).splitlines() == [
        r"note TST001 unused-input: input a\x1b[31m\x00\u202e\u2028\udc80é 名 is unused",
        r"    /w/a\nb.py:1  m\r\nn",
    ]


def test_paths_are_relative_to_the_current_folder(
    context: DiagnosticContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    context.report(UNUSED, name="a", location=Location.at(tmp_path / "sub" / "model.py", 1))
    context.report(UNUSED, name="a", location=Location.at(f"{tmp_path}-other/model.py", 1))
    assert render_text(context).splitlines()[1:] == ["    sub/model.py:1", f"    {tmp_path}-other/model.py:1"]


def test_rendering_survives_a_current_folder_that_is_gone(
    context: DiagnosticContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    context.report(UNUSED, name="a", location=Location.at("/w/model.py", 1))
    assert "w/model.py:1" in render_text(context)
