"""Reading SARIF 2.1.0 logs, as this package writes them and as far as others keep to the same."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from typing import get_args
from urllib.parse import unquote_to_bytes, urlsplit

from onnx_diagnostics._artifact import Artifact, ArtifactRole
from onnx_diagnostics._artifacts import BASE_ID
from onnx_diagnostics._diagnostic import Diagnostic, frozen_properties
from onnx_diagnostics._fingerprint import FINGERPRINT_NAME
from onnx_diagnostics._fixes import Fix, Replacement
from onnx_diagnostics._json_view import JsonView, SarifError
from onnx_diagnostics._locations import Location, LogicalKind, LogicalLocation, PhysicalLocation, Region
from onnx_diagnostics._rules import Level, Rule
from onnx_diagnostics._run import Invocation, Run, Tool
from onnx_diagnostics._sarif_objects import rule_title
from onnx_diagnostics._stacks import Stack

__all__ = ["parse_sarif", "read_sarif"]

_LEVELS = {level.sarif_name: level for level in Level}
_ROLES: tuple[ArtifactRole, ...] = get_args(ArtifactRole)


def read_sarif(path: str | os.PathLike[str]) -> tuple[Run, ...]:
    """Read a SARIF 2.1.0 log, such as `write_sarif` writes.

    What is read can be written again: to the same bytes, if this package wrote it, and its files are there.

    Args:
        path: the file.

    Returns:
        Its runs.

    Raises:
        OSError: the file cannot be read.
        SarifError: it is truncated, of another version, or no log; the message says where and why.
    """
    with open(path, "rb") as file:
        content = file.read()
    try:
        return parse_sarif(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise SarifError(f"{os.fspath(path)}: the log is not UTF-8, at byte {error.start}") from error
    except SarifError as error:
        raise SarifError(f"{os.fspath(path)}: {error}") from error


def parse_sarif(text: str) -> tuple[Run, ...]:
    """Read the text of a SARIF 2.1.0 log.

    Args:
        text: the whole text.

    Returns:
        Its runs.

    Raises:
        SarifError: it is truncated, of another version, or no log; the message says where and why.
    """
    log = JsonView.of_text(text)
    version = log["version"].text("")
    if version != "2.1.0":
        told = f"of SARIF {version}" if version else "no SARIF: it names no version"
        raise SarifError(f"the log is {told}; 2.1.0 can be read")
    if not log["runs"].exists:
        raise log["runs"].error("is missing")
    return tuple(_run(run) for run in log["runs"])


def _run(view: JsonView) -> Run:
    driver = view["tool"]["driver"]
    rules = [_rule(rule) for rule in driver["rules"]]
    base = view["originalUriBaseIds"][BASE_ID]["uri"] if view["originalUriBaseIds"].exists else None
    reader = _Results(rules)
    results = [reader.result(result) for result in view["results"]]
    invocations = [_invocation(invocation) for invocation in view["invocations"]]
    version = driver["version"].text_or_none() or driver["semanticVersion"].text("unknown")
    try:
        run = Run(
            Tool(driver["name"].text(), version, driver["informationUri"].text_or_none()),
            results,
            tuple(rules),
            invocations[0] if invocations else None,
            None if base is None or not base.exists else _file_path(base),
            tuple(_artifact(artifact) for artifact in view["artifacts"]),
            frozen_properties(view["properties"].properties()),
        )
    except ValueError as error:
        raise view.error(f"is no run: {error}") from error
    return run


def _rule(view: JsonView) -> Rule:
    """A reportingDescriptor (3.49)."""
    code = view["id"].text()
    name = view["name"].text(code.lower())
    description = _text_of(view["fullDescription"]) or ""
    templates = view["properties"] if view["properties"].exists else JsonView({})
    fallback = _text_of(view["shortDescription"]) or name
    level = view["defaultConfiguration"]["level"] if view["defaultConfiguration"].exists else JsonView(None)
    try:
        return Rule(
            code,
            name,
            _level(level, Level.WARNING),
            templates["message"].text(fallback.replace("{", "{{").replace("}", "}}")),
            view["helpUri"].text_or_none(),
            "" if description == rule_title(name) else description,
            templates["advice"].text(""),
        )
    except ValueError as error:
        raise view.error(f"is no rule of this package: {error}") from error


def _level(view: JsonView, default: Level) -> Level:
    name = view.text(default.sarif_name)
    if name not in _LEVELS:
        raise view.error(f"is {name!r}, and no level of SARIF")
    return _LEVELS[name]


def _invocation(view: JsonView) -> Invocation:
    """An invocation (3.20)."""
    line = view["commandLine"].text_or_none()
    try:
        return Invocation(
            view["executionSuccessful"].flag(),
            _time(view["startTimeUtc"]),
            _time(view["endTimeUtc"]),
            view["exitCode"].number_or_none(),
            () if line is None else tuple(shlex.split(line)),
        )
    except SarifError:
        raise
    except ValueError as error:
        raise view.error(f"is no invocation: {error}") from error


def _time(view: JsonView) -> datetime | None:
    text = view.text_or_none()
    if text is None:
        return None
    try:
        # Before 3.11, fromisoformat knows no "Z".
        return datetime.fromisoformat(text.removesuffix("Z")).replace(tzinfo=timezone.utc)
    except ValueError as error:
        raise view.error(f"is {text!r}, and no time in UTC") from error


def _artifact(view: JsonView) -> Artifact:
    """An artifact (3.24)."""
    names = [role.text() for role in view["roles"]]
    role = next((role for role in _ROLES if role in names), None)
    return Artifact(_artifact_path(view["location"]), role)


class _Results:
    """Reads the results of one run."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = rules
        self._by_code: Mapping[str, Rule] = {rule.code: rule for rule in rules}

    def result(self, view: JsonView) -> Diagnostic:
        """A result (3.27)."""
        rule = self._rule(view)
        message, advice = _message_and_advice(view["message"])
        places = [_location(place) for place in view["locations"]]
        prints = view["partialFingerprints"]
        return Diagnostic(
            rule,
            _level(view["level"], rule.level),
            message,
            places[0] if places else None,
            tuple(_location(place) for place in view["relatedLocations"]),
            frozen_properties(view["properties"].properties()),
            advice,
            tuple(_stack(stack) for stack in view["stacks"]),
            tuple(_fix(fix) for fix in view["fixes"]),
            prints[FINGERPRINT_NAME].text_or_none() if prints.exists else None,
        )

    def _rule(self, view: JsonView) -> Rule:
        index = view["ruleIndex"].number_or_none()
        if index is not None and not -1 <= index < len(self._rules):
            raise view["ruleIndex"].error(f"is {index}, and there are {len(self._rules)} rules")
        if index is not None and index >= 0:
            return self._rules[index]
        code = view["ruleId"].text()
        if code not in self._by_code:
            raise view["ruleId"].error(f"is {code!r}, which the log does not describe")
        return self._by_code[code]


def _message_and_advice(view: JsonView) -> tuple[str, str]:
    text = view["text"].text()
    advice = view["properties"]["advice"].text("") if view["properties"].exists else ""
    return (text.removesuffix(f"\n{advice}"), advice) if advice else (text, "")


def _text_of(view: JsonView) -> str | None:
    """The text of a message that may be missing."""
    return view["text"].text_or_none() if view.exists else None


def _location(view: JsonView) -> Location:
    """A location (3.28)."""
    physical = view["physicalLocation"]
    return Location(
        _physical(physical) if physical.exists else None,
        tuple(_logical(place) for place in view["logicalLocations"]),
        _text_of(view["message"]),
    )


def _physical(view: JsonView) -> PhysicalLocation:
    """A physicalLocation (3.29)."""
    region = view["region"]
    path = _artifact_path(view["artifactLocation"])
    if not region.exists or not region["startLine"].exists:
        return PhysicalLocation(path)
    return PhysicalLocation(path, _region(region), _text_of(region["snippet"]))


def _region(view: JsonView) -> Region:
    """A region of text (3.30)."""
    start = view["startLine"].number_or_none()
    if start is None:
        raise view["startLine"].error("is missing")
    ends = (view[name].number_or_none() for name in ("startColumn", "endLine", "endColumn"))
    try:
        return Region(start, *ends)
    except ValueError as error:
        raise view.error(f"is no region: {error}") from error


def _logical(view: JsonView) -> LogicalLocation:
    """A logicalLocation (3.33)."""
    name = view["fullyQualifiedName"].text_or_none() or view["name"].text()
    kind = view["kind"].text(LogicalKind.ELEMENT.value)
    known = {member.value: member for member in LogicalKind}
    return LogicalLocation(known.get(kind, LogicalKind.ELEMENT), name)


def _stack(view: JsonView) -> Stack:
    """A stack (3.44)."""
    try:
        return Stack(
            tuple(_location(frame["location"]) for frame in view["frames"]), _text_of(view["message"])
        )
    except SarifError:
        raise
    except ValueError as error:
        raise view.error(f"is no stack: {error}") from error


def _fix(view: JsonView) -> Fix:
    """A fix (3.55)."""
    replacements = [
        (_artifact_path(change["artifactLocation"]), replacement)
        for change in view["artifactChanges"]
        for replacement in change["replacements"]
    ]
    try:
        return Fix(
            _text_of(view["description"]) or "change",
            tuple(Replacement(path, *_replaced(replacement)) for path, replacement in replacements),
        )
    except SarifError:
        raise
    except ValueError as error:
        raise view.error(f"is no fix: {error}") from error


def _replaced(view: JsonView) -> tuple[Region, str]:
    """A replacement (3.57)."""
    content = view["insertedContent"]
    return _region(view["deletedRegion"]), _text_of(content) or ""


def _artifact_path(view: JsonView) -> str:
    """The path of an artifactLocation (3.4)."""
    if view["uriBaseId"].exists or not urlsplit(view["uri"].text()).scheme:
        path = os.fsdecode(unquote_to_bytes(view["uri"].text()))
        # Without a folder it would pass for code that has no file.
        return os.path.join(os.curdir, path) if path.startswith("<") else path
    return _file_path(view["uri"])


def _file_path(view: JsonView) -> str:
    """The path of an absolute URI; one that names no file stays as it is."""
    uri = urlsplit(view.text())
    if uri.scheme != "file":
        return view.text()
    path = os.fsdecode(unquote_to_bytes(uri.path))
    drive = os.name == "nt" and path[2:3] == ":"
    return path[1:] if drive else path
