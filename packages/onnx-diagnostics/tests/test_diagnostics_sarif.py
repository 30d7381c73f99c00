from __future__ import annotations

import json
import shutil
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from onnx_diagnostics import (
    Diagnostic,
    DiagnosticContext,
    Invocation,
    Level,
    Location,
    PropertyValue,
    Rule,
    RuleSet,
    Run,
    Tool,
    iter_sarif,
    sarif_text,
    write_sarif,
)

UNUSED = Rule(
    "TST001",
    "unused-input",
    Level.NOTE,
    "input {name} is unused",
    help_uri="https://example.org/TST001",
    description="An input that no node reads. It is dropped.",
)
BROKEN = Rule("TST002", "broken-node", Level.ERROR, "node {name} is broken", advice="Mend {name}.")
RULES = RuleSet("TST", (BROKEN, UNUSED))

SOURCE = """\
class Model:
    def forward(self, x):
        return relu( x )
"""

RESULT = {
    "ruleId": "TST002",
    "ruleIndex": 1,
    "level": "error",
    "message": {"text": "node relu is broken\nMend relu.", "properties": {"advice": "Mend relu."}},
    "locations": [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "mod%C3%A8le.py", "uriBaseId": "SRCROOT", "index": 0},
                "region": {
                    "startLine": 3,
                    "startColumn": 16,
                    "endColumn": 25,
                    "snippet": {"text": "relu( x )"},
                },
            },
            "logicalLocations": [
                {"name": "0", "fullyQualifiedName": "enc.0", "kind": "module"},
                {"name": "Model", "fullyQualifiedName": "Model", "kind": "type"},
                {"name": "forward", "fullyQualifiedName": "Model.forward", "kind": "function"},
                {"name": "aten::relu", "fullyQualifiedName": "aten::relu", "kind": "operator"},
            ],
        }
    ],
    "properties": {"opset": 20},
}

RUN = {
    "tool": {
        "driver": {
            "name": "checker",
            "version": "1.0",
            "informationUri": "https://example.org",
            "rules": [
                {
                    "id": "TST001",
                    "name": "unused-input",
                    "shortDescription": {"text": "Unused input."},
                    "fullDescription": {"text": "An input that no node reads. It is dropped."},
                    "defaultConfiguration": {"level": "note"},
                    "helpUri": "https://example.org/TST001",
                    "properties": {"message": "input {name} is unused"},
                },
                {
                    "id": "TST002",
                    "name": "broken-node",
                    "shortDescription": {"text": "Broken node."},
                    "fullDescription": {"text": "Broken node."},
                    "defaultConfiguration": {"level": "error"},
                    "properties": {"message": "node {name} is broken", "advice": "Mend {name}."},
                },
            ],
        }
    },
    "invocations": [
        {
            "executionSuccessful": False,
            "startTimeUtc": "2024-05-01T12:00:00.250Z",
            "endTimeUtc": "2024-05-01T12:00:01.250Z",
        }
    ],
    "columnKind": "unicodeCodePoints",
    "artifacts": [
        {
            "location": {"uri": "mod%C3%A8le.py", "uriBaseId": "SRCROOT", "index": 0},
            "sourceLanguage": "python",
        }
    ],
}


@pytest.fixture
def context() -> DiagnosticContext:
    return DiagnosticContext("checker", "1.0", information_uri="https://example.org")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "work space"
    folder.mkdir()
    (folder / "modèle.py").write_text(SOURCE, encoding="utf-8")
    return folder


def _report_relu(context: DiagnosticContext, workspace: Path, *, module: str = "enc.0") -> Diagnostic:
    place = Location.at(
        workspace / "modèle.py",
        3,
        16,
        end_column=25,
        module=module,
        class_name="Model",
        function="forward",
        op="aten::relu",
    )
    return context.report(BROKEN, name="relu", location=place, properties={"opset": 20})


def _fingerprints(run: Run) -> list[str]:
    results = json.loads(sarif_text(run))["runs"][0]["results"]
    return [result["partialFingerprints"]["ruleAndPlace/v1"] for result in results]


def test_whole_log(context: DiagnosticContext, workspace: Path) -> None:
    _report_relu(context, workspace)
    started = datetime(2024, 5, 1, 14, 0, 0, 250_000, tzinfo=timezone(timedelta(hours=2)))
    invocation = Invocation(False, started, started + timedelta(seconds=1))
    log = json.loads(sarif_text(context.run(rules=RULES, invocation=invocation, base=workspace)))
    assert log["$schema"].endswith("sarif-schema-2.1.0.json")
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    (result,) = run.pop("results")
    fingerprint = result.pop("partialFingerprints")["ruleAndPlace/v1"]
    assert len(fingerprint) == 32
    assert result == RESULT
    assert run == {**RUN, "originalUriBaseIds": {"SRCROOT": {"uri": f"{workspace.as_uri()}/"}}}


def test_equal_runs_give_equal_bytes_whatever_the_order_of_keys(workspace: Path) -> None:
    texts = set()
    orders: list[dict[str, PropertyValue]] = [
        {"a": 1, "b": {"c": 2, "d": 3}},
        {"b": {"d": 3, "c": 2}, "a": 1},
    ]
    for properties in orders:
        context = DiagnosticContext("checker", "1.0")
        context.report(UNUSED, name="x", properties=properties)
        texts.add(sarif_text(context.run(base=workspace)))
    assert len(texts) == 1


def test_only_broken_rules_are_described_unless_told(context: DiagnosticContext) -> None:
    context.report(BROKEN, name="x")
    assert [rule["id"] for rule in json.loads(sarif_text(context))["runs"][0]["tool"]["driver"]["rules"]] == [
        "TST002"
    ]


@pytest.mark.parametrize(("rule", "successful"), [(UNUSED, True), (BROKEN, False)])
def test_success_follows_from_the_findings_unless_told(
    context: DiagnosticContext, rule: Rule, successful: bool
) -> None:
    context.report(rule, name="x")
    (invocation,) = json.loads(sarif_text(context))["runs"][0]["invocations"]
    assert invocation == {"executionSuccessful": successful}


def test_level_none_is_no_failure(context: DiagnosticContext) -> None:
    context.report(UNUSED, name="x", level=Level.NONE)
    (result,) = json.loads(sarif_text(context))["runs"][0]["results"]
    assert (result["kind"], result["level"]) == ("informational", "none")
    assert "locations" not in result


def test_related_places_are_numbered(context: DiagnosticContext) -> None:
    place = Location.at("/elsewhere/a b.py", 4, message="defined here")
    context.report(UNUSED, name="x", related=[place, place])
    (result,) = json.loads(sarif_text(context))["runs"][0]["results"]
    expected = {
        "physicalLocation": {
            "artifactLocation": {"uri": "file:///elsewhere/a%20b.py", "index": 0},
            "region": {"startLine": 4},
        },
        "message": {"text": "defined here"},
    }
    assert result["relatedLocations"] == [{"id": 1, **expected}, {"id": 2, **expected}]


def test_code_without_a_file_is_told_in_words(context: DiagnosticContext) -> None:
    context.report(UNUSED, name="x", location=Location.at("<eval_with_key>.3", 7, module="m"))
    (result,) = json.loads(sarif_text(context))["runs"][0]["results"]
    assert result["locations"] == [
        {
            "logicalLocations": [{"name": "m", "fullyQualifiedName": "m", "kind": "module"}],
            "message": {"text": "In code without a file: <eval_with_key>.3, line 7"},
        }
    ]


def test_whole_file_has_no_region(context: DiagnosticContext) -> None:
    context.report(UNUSED, name="x", location=Location.at("/w/a.py"))
    (result,) = json.loads(sarif_text(context.run(base="/w")))["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "a.py", "uriBaseId": "SRCROOT", "index": 0}
    }


def test_odd_text_stays_readable_and_encodable(context: DiagnosticContext) -> None:
    location = Location.at("/w/a.py", 1, module="m\udc80\x00", snippet="x\udc80")
    context.report(
        UNUSED, name="\x1b[31m", location=location, properties={"k\udc80": "\udc80", "n": float("nan")}
    )
    text = sarif_text(context)
    text.encode("utf-8")
    (result,) = json.loads(text)["runs"][0]["results"]
    assert result["message"]["text"] == r"input \x1b[31m is unused"
    assert result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == r"m\udc80\x00"
    assert result["locations"][0]["physicalLocation"]["region"]["snippet"]["text"] == r"x\udc80"
    assert result["properties"] == {r"k\udc80": r"\udc80", "n": "nan"}


def test_fingerprint_survives_another_machine_and_lines_added_above(workspace: Path, tmp_path: Path) -> None:
    other = tmp_path / "other machine"
    shutil.copytree(workspace, other)
    (other / "modèle.py").write_text(f"import torch\n\n{SOURCE}", encoding="utf-8")
    here, there = DiagnosticContext("checker", "1.0"), DiagnosticContext("checker", "2.0")
    here.report(BROKEN, name="relu", location=Location.at(workspace / "modèle.py", 3, module="enc.0"))
    there.report(BROKEN, name="relu", location=Location.at(other / "modèle.py", 5, module="enc.0"))
    assert _fingerprints(here.run(base=workspace)) == _fingerprints(there.run(base=other))


def test_fingerprints_tell_rules_modules_files_and_lines_apart(
    context: DiagnosticContext, workspace: Path
) -> None:
    file = workspace / "modèle.py"
    for line in (1, 2):
        context.report(BROKEN, name="x", location=Location.at(file, line))
    context.report(BROKEN, name="x", location=Location.at(file, 1, module="enc.0"))
    context.report(BROKEN, name="x", location=Location.at(file, 1, op="enc.0"))
    context.report(BROKEN, name="x", location=Location.at(workspace / "b.py", 1))
    context.report(UNUSED, name="x", location=Location.at(file, 1))
    context.report(UNUSED, name="x")
    context.report(UNUSED, name="y")
    found = _fingerprints(context.run(base=workspace))
    assert len(set(found)) == len(found) == 8


def test_fingerprint_never_changes() -> None:
    # Code-scanning services match the findings of years by it: a new value needs a new version in its name.
    context = DiagnosticContext("checker", "1.0")
    location = Location.at("model.py", 3, module="enc.0", op="aten::relu", snippet="return relu(x)")
    context.report(BROKEN, name="relu", location=location)
    assert _fingerprints(context.run(base="/w")) == ["7921a34223882129a5ff6e90144a784c"]


def test_one_result_takes_one_line_and_the_log_is_streamed(
    context: DiagnosticContext, workspace: Path
) -> None:
    for number in range(50):
        _report_relu(context, workspace, module=f"enc.{number}")
    chunks = list(iter_sarif(context.run(base=workspace)))
    results = [chunk for chunk in chunks if '"ruleId"' in chunk]
    assert len(results) == 50
    assert all(chunk.strip(",\n ").count("\n") == 0 for chunk in results)
    assert "".join(chunks) == sarif_text(context.run(base=workspace))


def test_empty_run_is_a_log_too(context: DiagnosticContext, tmp_path: Path) -> None:
    write_sarif(context, tmp_path / "empty.sarif")
    assert json.loads((tmp_path / "empty.sarif").read_text())["runs"][0]["results"] == []


def test_write_sarif_writes_the_text(context: DiagnosticContext, workspace: Path, tmp_path: Path) -> None:
    _report_relu(context, workspace)
    run = context.run(base=workspace)
    write_sarif(run, tmp_path / "log.sarif")
    assert (tmp_path / "log.sarif").read_text(encoding="utf-8") == sarif_text(run)


def test_run_of_plain_diagnostics(context: DiagnosticContext, workspace: Path) -> None:
    run = Run(Tool("other", "2.0"), [_report_relu(context, workspace)], base=str(workspace))
    assert json.loads(sarif_text(run))["runs"][0]["tool"]["driver"]["name"] == "other"


def test_run_refuses_two_rules_with_one_code(context: DiagnosticContext) -> None:
    context.report(UNUSED, name="x")
    with pytest.raises(ValueError, match="TST001 is used twice"):
        context.run(rules=[Rule("TST001", "other", Level.NOTE, "other")])


def test_invocation_refuses_impossible_times() -> None:
    now = datetime(2024, 5, 1, tzinfo=timezone.utc)
    with pytest.raises(ValueError, match="time zone"):
        Invocation(True, now.replace(tzinfo=None))
    with pytest.raises(ValueError, match="before it started"):
        Invocation(True, now, now - timedelta(seconds=1))
