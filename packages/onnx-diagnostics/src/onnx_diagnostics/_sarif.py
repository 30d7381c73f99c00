"""Writing a run as SARIF 2.1.0 (OASIS standard, errata 01). Section numbers below are those of its text."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timezone

from onnx_diagnostics._atomic import write_text_atomically
from onnx_diagnostics._context import DiagnosticContext
from onnx_diagnostics._diagnostic import Diagnostic, PropertyValue
from onnx_diagnostics._files import Workspace, is_file_name
from onnx_diagnostics._fingerprint import FINGERPRINT_NAME, fingerprint
from onnx_diagnostics._locations import Location, LogicalKind, LogicalLocation, PhysicalLocation, Region
from onnx_diagnostics._rules import Level, Rule
from onnx_diagnostics._run import Run, Tool
from onnx_diagnostics._text import encodable, printable

__all__ = ["iter_sarif", "sarif_text", "write_sarif"]

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_BASE_ID = "SRCROOT"

_Object = dict[str, PropertyValue]


def write_sarif(source: DiagnosticContext | Run, path: str | os.PathLike[str]) -> None:
    """Write a SARIF 2.1.0 log; equal runs give equal bytes, and one result takes one line.

    The file is whole or, after a failure, as it was before.

    Args:
        source: the run; a context stands for `context.run()`.
        path: the file, by convention `*.sarif`.

    Raises:
        OSError: it cannot be written.
    """
    write_text_atomically(path, iter_sarif(source))


def sarif_text(source: DiagnosticContext | Run) -> str:
    """Return the text that `write_sarif` writes."""
    return "".join(iter_sarif(source))


def iter_sarif(source: DiagnosticContext | Run) -> Iterator[str]:
    """Yield the text that `write_sarif` writes in small pieces, so that long logs need no memory."""
    run = source if isinstance(source, Run) else source.run()
    workspace = Workspace(run.base)
    rules = run.described_rules
    index_of_code = {rule.code: index for index, rule in enumerate(rules)}
    yield f'{{\n  "$schema": {json.dumps(_SCHEMA)},\n  "version": "2.1.0",\n  "runs": [\n    {{\n'
    for key, value in _head(run, rules, workspace).items():
        block = json.dumps(value, indent=2, ensure_ascii=False).replace("\n", "\n      ")
        yield f'      "{key}": {block},\n'
    yield '      "results": ['
    separator = "\n        "
    for diagnostic in run.diagnostics:
        result = _result(diagnostic, index_of_code[diagnostic.rule.code], workspace)
        yield separator + json.dumps(result, ensure_ascii=False, allow_nan=False)
        separator = ",\n        "
    yield "\n      ]\n    }\n  ]\n}\n"


def _head(run: Run, rules: Sequence[Rule], workspace: Workspace) -> _Object:
    """The run object (3.14) without its results."""
    return {
        "tool": {"driver": _driver(run.tool, rules)},
        "invocations": [_invocation(run)],
        "originalUriBaseIds": {_BASE_ID: {"uri": workspace.base_uri}},
        "columnKind": "unicodeCodePoints",
    }


def _driver(tool: Tool, rules: Sequence[Rule]) -> _Object:
    driver: _Object = {"name": printable(tool.name), "version": printable(tool.version)}
    if tool.information_uri is not None:
        driver["informationUri"] = tool.information_uri
    driver["rules"] = [_rule(rule) for rule in rules]
    return driver


def _rule(rule: Rule) -> _Object:
    """A reportingDescriptor (3.49)."""
    title = rule.name.replace("-", " ").capitalize()
    described: _Object = {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": _message(f"{title}."),
        "fullDescription": _message(rule.description or f"{title}."),
        "defaultConfiguration": {"level": rule.level.sarif_name},
    }
    if rule.help_uri is not None:
        described["helpUri"] = rule.help_uri
    return described


def _invocation(run: Run) -> _Object:
    """An invocation (3.20)."""
    invocation: _Object = {"executionSuccessful": run.successful}
    if run.invocation is None:
        return invocation
    times = (("startTimeUtc", run.invocation.started), ("endTimeUtc", run.invocation.ended))
    return {**invocation, **{key: _utc(time) for key, time in times if time is not None}}


def _utc(time: datetime) -> str:
    """A date and time as 3.9 wants it."""
    return time.astimezone(timezone.utc).replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def _result(diagnostic: Diagnostic, rule_index: int, workspace: Workspace) -> _Object:
    """A result (3.27)."""
    text = f"{diagnostic.message}\n{diagnostic.advice}" if diagnostic.advice else diagnostic.message
    result: _Object = {"ruleId": diagnostic.rule.code, "ruleIndex": rule_index}
    if diagnostic.level is Level.NONE:
        result["kind"] = "informational"  # the level "none" is for results that are no failures (3.27.10)
    result["level"] = diagnostic.level.sarif_name
    result["message"] = _message(text)
    if diagnostic.location is not None:
        result["locations"] = [_location(diagnostic.location, workspace)]
    if diagnostic.related:
        # The id keeps equal places apart, as the schema wants them, and lets a message refer to one.
        places = enumerate(diagnostic.related, start=1)
        result["relatedLocations"] = [{"id": index, **_location(place, workspace)} for index, place in places]
    result["partialFingerprints"] = {FINGERPRINT_NAME: fingerprint(diagnostic, workspace)}
    if diagnostic.properties:
        result["properties"] = _plain(diagnostic.properties)
    return result


def _location(location: Location, workspace: Workspace) -> _Object:
    """A location (3.28)."""
    texts = [] if location.message is None else [location.message]
    described: _Object = {}
    if location.physical is not None and is_file_name(location.physical.path):
        described["physicalLocation"] = _physical(location.physical, workspace)
    elif location.physical is not None:
        texts.append(_without_file(location.physical))
    logical = dict.fromkeys(location.logical)
    if logical:
        described["logicalLocations"] = [_logical(place) for place in logical]
    if texts:
        described["message"] = _message("\n".join(texts))
    return described


def _physical(location: PhysicalLocation, workspace: Workspace) -> _Object:
    """A physicalLocation (3.29)."""
    relative = workspace.relative_uri(location.path)
    artifact: _Object = (
        {"uri": workspace.absolute_uri(location.path)}
        if relative is None
        else {"uri": relative, "uriBaseId": _BASE_ID}
    )
    if location.region is None:
        return {"artifactLocation": artifact}
    region = _region(location.region)
    text = workspace.text(location)
    if text is not None:
        region["snippet"] = {"text": encodable(text)}
    return {"artifactLocation": artifact, "region": region}


def _region(region: Region) -> _Object:
    """A region of text (3.30)."""
    numbers = (
        ("startLine", region.start_line),
        ("startColumn", region.start_column),
        ("endLine", region.end_line),
        ("endColumn", region.end_column),
    )
    return {key: number for key, number in numbers if number is not None}


def _without_file(location: PhysicalLocation) -> str:
    line = "" if location.region is None else f", line {location.region.start_line}"
    return f"In code without a file: {location.path}{line}"


def _logical(location: LogicalLocation) -> _Object:
    """A logicalLocation (3.33)."""
    name = location.name
    last = name if location.kind is LogicalKind.OPERATOR else name.rpartition(".")[2] or name
    return {
        "name": printable(last),
        "fullyQualifiedName": printable(name),
        "kind": location.kind.value,
    }


def _message(text: str) -> _Object:
    """A message (3.11) or a multiformatMessageString (3.12)."""
    # Braces stay single although 3.11.5 doubles them: viewers undo that only where a message has arguments.
    return {"text": printable(text)}


def _plain(value: PropertyValue) -> PropertyValue:
    """A value as JSON can say it, with the keys in order."""
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, Mapping):
        return {encodable(key): _plain(value[key]) for key in sorted(value)}
    if isinstance(value, Sequence):
        return [_plain(item) for item in value]
    return value
