"""The objects of a SARIF 2.1.0 log. Section numbers are those of the OASIS standard, errata 01."""

from __future__ import annotations

import json
import math
import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timezone

from onnx_diagnostics._artifacts import BASE_ID, ArtifactTable
from onnx_diagnostics._diagnostic import Diagnostic, PropertyValue
from onnx_diagnostics._files import is_file_name
from onnx_diagnostics._fingerprint import FINGERPRINT_NAME, fingerprint
from onnx_diagnostics._fixes import Fix, Replacement
from onnx_diagnostics._locations import Location, LogicalKind, LogicalLocation, PhysicalLocation, Region
from onnx_diagnostics._rules import Level, Rule
from onnx_diagnostics._run import Invocation, Run, Tool
from onnx_diagnostics._stacks import Stack
from onnx_diagnostics._text import encodable, printable

__all__ = ["plain", "result_object", "rule_title", "run_head"]

_Object = dict[str, PropertyValue]


def run_head(run: Run, rules: Sequence[Rule], files: ArtifactTable) -> _Object:
    """Return the run object (3.14) without its results and files.

    Args:
        run: the run.
        rules: its rules, in the order of their indices.
        files: knows the folder that paths are relative to.
    """
    return {
        "tool": {"driver": _driver(run.tool, rules)},
        "invocations": [_invocation(run)],
        "originalUriBaseIds": {BASE_ID: {"uri": files.workspace.base_uri}},
        "columnKind": "unicodeCodePoints",
    }


def rule_title(name: str) -> str:
    """Return the sentence that a log has for a rule without a description."""
    return f"{name.replace('-', ' ').capitalize()}."


def _driver(tool: Tool, rules: Sequence[Rule]) -> _Object:
    driver: _Object = {"name": printable(tool.name), "version": printable(tool.version)}
    if tool.information_uri is not None:
        driver["informationUri"] = tool.information_uri
    driver["rules"] = [_rule(rule) for rule in rules]
    return driver


def _rule(rule: Rule) -> _Object:
    """A reportingDescriptor (3.49)."""
    title = rule_title(rule.name)
    described: _Object = {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": _message(title),
        "fullDescription": _message(rule.description or title),
        "defaultConfiguration": {"level": rule.level.sarif_name},
    }
    if rule.help_uri is not None:
        described["helpUri"] = rule.help_uri
    # Not messageStrings: their placeholders are numbers, and viewers would fill them in.
    templates = {"message": rule.message, "advice": rule.advice}
    described["properties"] = {name: encodable(text) for name, text in templates.items() if text}
    return described


def _invocation(run: Run) -> _Object:
    """An invocation (3.20)."""
    told = run.invocation or Invocation(run.successful)
    invocation: _Object = {}
    if told.command_line:
        words = [printable(_without_home(word)) for word in told.command_line]
        invocation["commandLine"] = shlex.join(words)
        invocation["arguments"] = list(words[1:])
    for key, time in (("startTimeUtc", told.started), ("endTimeUtc", told.ended)):
        if time is not None:
            invocation[key] = _utc(time)
    if told.exit_code is not None:
        invocation["exitCode"] = told.exit_code
    return {**invocation, "executionSuccessful": told.successful}


def _without_home(word: str) -> str:
    """The word with `~` for the home folder: whose it is, is nobody's business."""
    home = os.path.expanduser("~").rstrip(os.sep)
    if not os.path.isabs(home) or home not in word:
        return word
    before, *parts = word.split(home)
    # /home/me is no part of /home/menu
    ends = [part == "" or part.startswith((os.sep, ":", ",")) for part in parts]
    return before + "".join(
        ("~" if ends_here else home) + part for ends_here, part in zip(ends, parts, strict=True)
    )


def _utc(time: datetime) -> str:
    """A date and time as 3.9 wants it."""
    return time.astimezone(timezone.utc).replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def result_object(diagnostic: Diagnostic, rule_index: int, files: ArtifactTable) -> _Object:
    """Return a result (3.27).

    Args:
        diagnostic: the finding.
        rule_index: index of its rule.
        files: gets the files that the finding mentions.
    """
    result: _Object = {"ruleId": diagnostic.rule.code, "ruleIndex": rule_index}
    if diagnostic.level is Level.NONE:
        result["kind"] = "informational"  # the level "none" is for results that are no failures (3.27.10)
    result["level"] = diagnostic.level.sarif_name
    result["message"] = _finding(diagnostic)
    if diagnostic.location is not None:
        result["locations"] = [_location(diagnostic.location, files)]
    if diagnostic.related:
        # The id keeps equal places apart, as the schema wants them, and lets a message refer to one.
        places = enumerate(diagnostic.related, start=1)
        result["relatedLocations"] = [{"id": index, **_location(place, files)} for index, place in places]
    if diagnostic.stacks:
        result["stacks"] = _distinct(_stack(stack, files) for stack in diagnostic.stacks)
    if diagnostic.fixes:
        result["fixes"] = _distinct(_fix(fix, files) for fix in diagnostic.fixes)
    known = diagnostic.fingerprint
    result["partialFingerprints"] = {
        FINGERPRINT_NAME: fingerprint(diagnostic, files.workspace) if known is None else encodable(known)
    }
    if diagnostic.properties:
        result["properties"] = plain(diagnostic.properties)
    return result


def _distinct(objects: Iterable[_Object]) -> list[PropertyValue]:
    """Each once, as the schema wants them: what differs here may be written in the same way."""
    return list({json.dumps(found, sort_keys=True): found for found in objects}.values())


def _finding(diagnostic: Diagnostic) -> _Object:
    """The message of a result. What to do is in the text, where every viewer shows it, and apart from it."""
    if not diagnostic.advice:
        return _message(diagnostic.message)
    text = _message(f"{diagnostic.message}\n{diagnostic.advice}")
    return {**text, "properties": {"advice": printable(diagnostic.advice)}}


def _location(location: Location, files: ArtifactTable) -> _Object:
    """A location (3.28)."""
    texts = [] if location.message is None else [location.message]
    described: _Object = {}
    if location.physical is not None and is_file_name(location.physical.path):
        described["physicalLocation"] = _physical(location.physical, files)
    elif location.physical is not None:
        texts.append(_without_file(location.physical))
    if location.logical:
        described["logicalLocations"] = _distinct(_logical(place) for place in location.logical)
    if texts:
        described["message"] = _message("\n".join(texts))
    return described


def _physical(location: PhysicalLocation, files: ArtifactTable) -> _Object:
    """A physicalLocation (3.29)."""
    artifact = files.location(location.path)
    if location.region is None:
        return {"artifactLocation": artifact}
    region = _region(location.region)
    text = files.workspace.text(location)
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


def _stack(stack: Stack, files: ArtifactTable) -> _Object:
    """A stack (3.44)."""
    described: _Object = {} if stack.message is None else {"message": _message(stack.message)}
    return {**described, "frames": [{"location": _location(frame, files)} for frame in stack.frames]}


def _fix(fix: Fix, files: ArtifactTable) -> _Object:
    """A fix (3.55)."""
    places = {replacement.path: files.location(replacement.path) for replacement in fix.replacements}
    by_file: dict[PropertyValue, list[PropertyValue]] = {}
    for replacement in fix.replacements:
        by_file.setdefault(places[replacement.path]["index"], []).append(_replacement(replacement))
    changes: list[PropertyValue] = [
        {"artifactLocation": place, "replacements": by_file.pop(place["index"])}
        for place in places.values()
        if place["index"] in by_file
    ]
    return {"description": _message(fix.description), "artifactChanges": changes}


def _replacement(replacement: Replacement) -> _Object:
    """A replacement (3.57)."""
    return {
        "deletedRegion": _region(replacement.region),
        "insertedContent": {"text": encodable(replacement.text)},
    }


def _message(text: str) -> _Object:
    """A message (3.11) or a multiformatMessageString (3.12)."""
    # Braces stay single although 3.11.5 doubles them: viewers undo that only where a message has arguments.
    return {"text": printable(text)}


def plain(value: PropertyValue) -> PropertyValue:
    """Return a value as JSON can say it, with the keys in order."""
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, Mapping):
        return {encodable(key): plain(value[key]) for key in sorted(value, key=encodable)}
    if isinstance(value, Sequence):
        return [plain(item) for item in value]
    return value
