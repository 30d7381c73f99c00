"""A run of a log in the form that the templates show."""

from __future__ import annotations

import dataclasses
import os
from collections import Counter
from collections.abc import Iterable, Sequence

from onnx_diagnostics import Diagnostic, Level, Location, LogicalKind, Run
from onnx_export._report._facts import ExportFacts, StageFact
from onnx_export._report._properties import facts_of

__all__ = ["FindingGroup", "Place", "ReportView", "view_of"]


@dataclasses.dataclass(frozen=True)
class Place:
    """Where a finding is: ``line`` such as ``model.py:27``, its text, and the names of what stands there."""

    line: str
    text: str
    names: str
    count: int = 1


@dataclasses.dataclass(frozen=True)
class FindingGroup:
    """Findings of one rule that say the same, with their places."""

    code: str
    name: str
    level: str
    message: str
    advice: str
    help_uri: str
    places: Sequence[Place]
    led_here: Sequence[Place]
    fixes: Sequence[str]

    @property
    def count(self) -> int:
        """The number of findings."""
        return sum(place.count for place in self.places) or 1


@dataclasses.dataclass(frozen=True)
class ReportView:
    """What a report shows of one run.

    Attributes:
        tool: name and version of the program.
        successful: whether it did what it was asked for.
        started: when it began, in UTC; empty if the log does not tell.
        headline: the outcome in one sentence.
        facts: what the log says of the export; empty if it is no log of one.
        has_facts: whether it says anything.
        errors: what must be mended.
        warnings: what may be wrong.
        notes: the rest.
        unsupported: operators that could not be exported, with the number of their calls.
    """

    tool: str
    successful: bool
    started: str
    headline: str
    facts: ExportFacts
    has_facts: bool
    errors: Sequence[FindingGroup]
    warnings: Sequence[FindingGroup]
    notes: Sequence[FindingGroup]
    unsupported: dict[str, int]

    @property
    def seconds(self) -> float:
        """How long the stages took together."""
        return sum(stage.seconds for stage in self.facts.stages)

    @property
    def weight_bytes(self) -> int:
        """The size of all weights."""
        return sum(weight.nbytes for weight in self.facts.weights)

    @property
    def mismatches(self) -> int:
        """How many outputs differ from PyTorch's."""
        return sum(1 for found in self.facts.comparisons if found.problem)

    @property
    def stages(self) -> Sequence[StageFact]:
        """The stages, and those that the export did not come to, without a time."""
        return self.facts.stages


def view_of(run: Run) -> ReportView:
    """What a report shows of ``run``.

    Raises:
        FactsError: the facts in it are damaged.
    """
    facts = facts_of(run.properties)
    base = os.getcwd() if run.base is None else os.path.normpath(run.base)
    by_level = {
        level: _groups((found for found in run.diagnostics if _shown_level(found.level) is level), base)
        for level in (Level.ERROR, Level.WARNING, Level.NOTE)
    }
    started = None if run.invocation is None else run.invocation.started
    return ReportView(
        tool=f"{run.tool.name} {run.tool.version}",
        successful=run.successful,
        started="" if started is None else f"{started:%Y-%m-%d %H:%M:%S} UTC",
        headline=_headline(run, facts or ExportFacts()),
        facts=facts or ExportFacts(),
        has_facts=facts is not None,
        errors=by_level[Level.ERROR],
        warnings=by_level[Level.WARNING],
        notes=by_level[Level.NOTE],
        unsupported=_unsupported(run.diagnostics),
    )


def _shown_level(level: Level) -> Level:
    return Level.NOTE if level is Level.NONE else level


def _headline(run: Run, facts: ExportFacts) -> str:
    if facts.failure is not None:
        return facts.failure.message.partition("\n")[0]
    if not run.successful:
        first = next((found for found in run.diagnostics if found.level is Level.ERROR), None)
        return "" if first is None else first.message.partition("\n")[0]
    if facts.verified:
        count = len({found.sizes for found in facts.comparisons})
        return f"The file computes what PyTorch computes, at {count} set{'' if count == 1 else 's'} of sizes."
    return "The file passed the checker. It was not compared with PyTorch." if facts.nodes else ""


# Rules of the lowering: what they find as errors is an operator without a place in the file.
_LOWERING = "LOW"


def _unsupported(diagnostics: Iterable[Diagnostic]) -> dict[str, int]:
    found = Counter(
        str(finding.location.op)
        for finding in diagnostics
        if finding.level is Level.ERROR
        and finding.rule.code.startswith(_LOWERING)
        and finding.location is not None
        and finding.location.op is not None
    )
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def _groups(diagnostics: Iterable[Diagnostic], base: str) -> tuple[FindingGroup, ...]:
    groups: dict[tuple[str, str, str], list[Diagnostic]] = {}
    for finding in diagnostics:
        groups.setdefault((finding.rule.code, finding.message, finding.advice), []).append(finding)
    return tuple(_group(group, base) for group in groups.values())


def _group(group: Sequence[Diagnostic], base: str) -> FindingGroup:
    first = group[0]
    places = Counter(_place(found.location, base) for found in group if found.location is not None)
    related = [
        *first.related,
        *(frame for stack in first.stacks for frame in stack.frames),
    ]
    return FindingGroup(
        first.rule.code,
        first.rule.name,
        _shown_level(first.level).sarif_name,
        first.message,
        first.advice,
        first.rule.help_uri or "",
        [dataclasses.replace(place, count=count) for place, count in places.items()],
        [_place(place, base) for place in related] if len(group) == 1 else [],
        list(dict.fromkeys(fix.description for found in group for fix in found.fixes)),
    )


def _place(location: Location, base: str) -> Place:
    function = location.name_of(LogicalKind.FUNCTION) or location.name_of(LogicalKind.TYPE)
    names = (location.module, f"({function})" if function else None, location.op)
    text = "" if location.physical is None else location.physical.snippet or ""
    return Place(_line(location, base), text.rstrip(), "  ".join(name for name in names if name))


def _line(location: Location, base: str) -> str:
    if location.file is None:
        return location.message or ""
    path = _short(location.file, base)
    return path if location.line is None else f"{path}:{location.line}"


def _short(path: str, base: str) -> str:
    """The path inside of the workspace, or with ``~`` for the home folder."""
    for folder, stand_in in ((base, ""), (os.path.expanduser("~"), f"~{os.sep}")):
        start = folder.rstrip(os.sep) + os.sep
        if len(start) > 1 and path.startswith(start):
            return stand_in + path.removeprefix(start)
    return path
