"""Reading logs: those of this package, those of others, and what is no log."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from onnx_diagnostics import (
    Artifact,
    Diagnostic,
    DiagnosticContext,
    Fix,
    Invocation,
    Level,
    Location,
    Rule,
    RuleSet,
    Run,
    SarifError,
    Stack,
    parse_sarif,
    read_sarif,
    sarif_text,
    write_sarif,
)

UNUSED = Rule("TST001", "unused-input", Level.NOTE, "input {name} is unused", "https://example.org/TST001")
BROKEN = Rule(
    "TST002", "broken", Level.ERROR, "{name} is broken", description="It is.", advice="Mend {name}."
)
RULES = RuleSet("TST", (UNUSED, BROKEN))


def _run(folder: Path) -> Run:
    source = folder / "model one.py"
    source.write_text("def forward(x):\n    return relu( x )\n", encoding="utf-8")
    context = DiagnosticContext("checker", "1.0", information_uri="https://example.org")
    context.report(
        BROKEN,
        name="relu",
        location=Location.at(source, 2, 12, end_column=21, module="enc.0", op="aten::relu"),
        related=[Location.at("/elsewhere/a.py", 4, message="defined here")],
        properties={"opset": 20, "names": ["a", "b"]},
        stacks=[Stack((Location.at(source, 1, function="forward"),), "called here")],
        fixes=[Fix.line(source, 2, "    return gelu(x)", description="use gelu")],
    )
    context.report(UNUSED, name="mask", level=Level.WARNING)
    started = datetime(2024, 5, 1, 12, tzinfo=timezone.utc)
    return context.run(
        rules=RULES,
        base=folder,
        invocation=Invocation(False, started, started + timedelta(seconds=2), 1, ("check", "a b.py")),
        artifacts=[Artifact("model.onnx", "resultFile")],
        properties={"stages": {"capture": 1.5}},
    )


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    run = _run(tmp_path)
    write_sarif(run, tmp_path / "log.sarif")
    (read,) = read_sarif(tmp_path / "log.sarif")
    assert (read.tool, read.invocation, read.properties) == (run.tool, run.invocation, run.properties)
    assert read.described_rules == run.described_rules
    assert read.artifacts[0] == Artifact("model.onnx", "resultFile")
    broken, unused = read.diagnostics
    assert (broken.rule, broken.level, broken.message, broken.advice) == (
        BROKEN,
        Level.ERROR,
        "relu is broken",
        "Mend relu.",
    )
    assert broken.location is not None
    assert (broken.location.file, broken.location.line) == ("model one.py", 2)
    assert (broken.location.module, broken.location.op) == ("enc.0", "aten::relu")
    assert broken.location.physical is not None
    assert broken.location.physical.snippet == "relu( x )"
    assert broken.related[0].message == "defined here"
    assert broken.properties == {"opset": 20, "names": ("a", "b")}
    assert [frame.line for frame in broken.stacks[0].frames] == [1]
    assert [fix.description for fix in broken.fixes] == ["use gelu"]
    assert (unused.message, unused.level, unused.location) == ("input mask is unused", Level.WARNING, None)


def test_a_finding_keeps_its_fingerprint_where_its_source_is_gone(tmp_path: Path) -> None:
    text = sarif_text(_run(tmp_path))
    (tmp_path / "model one.py").unlink()
    (read,) = parse_sarif(text)
    assert sarif_text(read) == text


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda text: text[:-20], "the log is truncated or no JSON: .*line"),
        (lambda text: text[: len(text) // 2], "the log is truncated or no JSON"),
        (lambda _: "", "truncated or no JSON"),
        (lambda _: "[]", r"the log is \[\], where an object is needed"),
        (lambda _: "{}", "no SARIF: it names no version"),
        (lambda text: text.replace('"2.1.0"', '"2.0.0"'), "the log is of SARIF 2.0.0; 2.1.0 can be read"),
        (lambda _: '{"version": "2.1.0"}', "runs is missing"),
        (lambda _: '{"version": "2.1.0", "runs": [{}]}', r"runs\[0\]\.tool is missing, where an object"),
        (lambda text: text.replace('"ruleIndex": 1', '"ruleIndex": 7'), r"results\[0\]\.ruleIndex is 7, and"),
        (lambda text: text.replace('"startLine": 2', '"startLine": "2"'), r'startLine is "2", where an int'),
        (lambda text: text.replace('"startLine": 2', '"startLine": 0'), "region is no region: .* from 1"),
        (lambda text: text.replace('"TST001"', '"E501"'), r"rules\[0\] is no rule of this package: .*'E501'"),
        (
            lambda text: text.replace("12:00:00.000Z", "noon"),
            "startTimeUtc is '2024-05-01Tnoon', and no time",
        ),
        (lambda text: text.replace('"error"', '"fatal"'), "'fatal', and no level of SARIF"),
        (
            lambda text: text.replace("true", "1").replace("false", "1"),
            "executionSuccessful is 1, where true",
        ),
        (lambda _: "[" * 100_000, "nested too deeply|truncated"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(
    tmp_path: Path, spoil: Callable[[str], str], message: str
) -> None:
    path = tmp_path / "log.sarif"
    path.write_text(spoil(sarif_text(_run(tmp_path))), encoding="utf-8")
    with pytest.raises(SarifError, match=message) as caught:
        read_sarif(path)
    assert str(caught.value).startswith(str(path))


def test_bytes_that_are_no_text_are_told(tmp_path: Path) -> None:
    (tmp_path / "log.sarif").write_bytes(b'{"version": "\xff"}')
    with pytest.raises(SarifError, match="not UTF-8, at byte 13"):
        read_sarif(tmp_path / "log.sarif")


def test_a_file_that_is_not_there_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_sarif(tmp_path / "none.sarif")


def test_a_log_of_another_program_is_read_as_far_as_it_goes() -> None:
    result = {
        "ruleId": "ABC001",
        "message": {"text": "{found}"},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": "src/a.py"}}}],
    }
    rules = [{"id": "ABC001", "shortDescription": {"text": "Braces {}."}}]
    runs = [{"tool": {"driver": {"name": "other", "rules": rules}}, "results": [result]}]
    (run,) = parse_sarif(json.dumps({"version": "2.1.0", "runs": runs}))
    (found,) = run.diagnostics
    assert isinstance(found, Diagnostic)
    assert (found.message, found.level, found.rule.name) == ("{found}", Level.WARNING, "abc001")
    assert found.rule.format({}) == ("Braces {}.", "")
    assert found.location == Location.at("src/a.py")
    assert (run.tool.version, run.base, run.invocation) == ("unknown", None, None)
