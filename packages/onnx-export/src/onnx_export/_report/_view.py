"""A run of a log in the form that the templates show."""

from __future__ import annotations

import dataclasses
import os
import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from onnx_diagnostics import Diagnostic, Level, Location, LogicalKind, Run
from onnx_export._report._facts import ComparisonFact, ExportFacts, OperatorFact, StageFact
from onnx_export._report._properties import facts_of
from onnx_export._report._words import by_count, counted, memory
from onnx_export.rules import DIFFERENCE_NOT_LOCALISED, REPORT_ADVICE, VERIFICATION_MISMATCH
from onnx_ir_capture.lowering import DECOMPOSITION

__all__ = ["FindingGroup", "Place", "ReportView", "is_secondhand", "untranslated", "view_of"]


@dataclasses.dataclass(frozen=True)
class Place:
    """Where a finding is: ``line`` such as ``model.py:27``, its text, and the names of what stands there.

    ``why`` says what the place has to do with the finding, where it is not the finding's own.
    """

    line: str
    text: str
    names: str
    why: str = ""
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
        outcome: the same in two or three words.
        started: when it began, in UTC; empty if the log does not tell.
        headline: the outcome in one sentence.
        facts: what the log says of the export; empty if it is no log of one.
        has_facts: whether it says anything.
        errors: what must be mended; outputs that differ are in the table of comparisons, if there is one.
        mismatch_advice: what to do about these, where no finding among the errors says more.
        on_comparisons: what else was found about these.
        warnings: what may be wrong.
        notes: the rest.
        unsupported: operators that could not be exported, with the number of their calls.
    """

    tool: str
    successful: bool
    outcome: str
    started: str
    headline: str
    facts: ExportFacts
    has_facts: bool
    errors: Sequence[FindingGroup]
    mismatch_advice: Sequence[str]
    on_comparisons: Sequence[FindingGroup]
    warnings: Sequence[FindingGroup]
    notes: Sequence[FindingGroup]
    unsupported: Mapping[str, int]

    @property
    def seconds(self) -> float:
        """How long the stages took together."""
        return sum(stage.seconds for stage in self.facts.stages)

    @property
    def in_short(self) -> Sequence[str]:
        """What the reader wants to know at once, each in a few words."""
        facts, weights = self.facts, self.facts.weights
        found = [f"opset {facts.opset}"] if facts.opset else []
        found += [f"captured by {facts.route}"] if facts.route else []
        found += [counted(self.node_count, "node")] if facts.nodes else []
        found += [f"{counted(len(weights), 'weight')}, {memory(self.weight_bytes)}"] if weights else []
        found += [f"{self.seconds:.1f} s"] if facts.stages else []
        found += [f"{file.name} ({memory(file.nbytes)})" for file in facts.files]
        found += [counted(len(self.warnings), "warning")] if self.warnings else []
        return found

    @property
    def captured_calls(self) -> int:
        """How many calls were captured."""
        return sum(operator.captured for operator in self.facts.operators)

    @property
    def nodes(self) -> Mapping[str, int]:
        """How many nodes of each operator the file has, the most frequent first."""
        return by_count(self.facts.nodes)

    @property
    def node_count(self) -> int:
        """How many nodes the file has."""
        return sum(self.facts.nodes.values())

    @property
    def weight_bytes(self) -> int:
        """The size of all weights."""
        return sum(weight.nbytes for weight in self.facts.weights)

    @property
    def mismatches(self) -> int:
        """How many outputs differ from PyTorch's."""
        return sum(1 for found in self.facts.comparisons if found.problem)

    @property
    def steps(self) -> Sequence[tuple[str, StageFact | None]]:
        """The stages in their order; None for one that the export did not come to."""
        done = {stage.name: stage for stage in self.facts.stages}
        names = [*_STAGES, *(["verify"] if self.facts.verified else [])]
        return [(name, done.get(name)) for name in dict.fromkeys([*names, *done])]

    @property
    def weights_by_dtype(self) -> Mapping[str, tuple[int, int]]:
        """How many weights there are of each dtype, and their bytes."""
        found: dict[str, tuple[int, int]] = {}
        for weight in self.facts.weights:
            count, nbytes = found.get(weight.dtype, (0, 0))
            found[weight.dtype] = (count + 1, nbytes + weight.nbytes)
        return found

    @property
    def translated_by(self) -> Mapping[str, int]:
        """How many calls each library of translations served."""
        found: Counter[str] = Counter()
        for operator in self.facts.operators:
            found.update(operator.translated or {})
        return by_count(found)

    @property
    def comparisons(self) -> Sequence[ComparisonFact]:
        """The comparisons, those that differ first."""
        return sorted(self.facts.comparisons, key=lambda found: not found.problem)


def view_of(run: Run) -> ReportView:
    """What a report shows of ``run``.

    Raises:
        FactsError: the facts in it are damaged.
    """
    facts = facts_of(run.properties)
    base = os.getcwd() if run.base is None else os.path.normpath(run.base)
    has_table = facts is not None and bool(facts.comparisons)
    apart = _of_comparisons(run.diagnostics) if has_table else {}
    others = [found for found in run.diagnostics if found.rule.code not in apart]
    by_level = {
        level: _groups((found for found in others if _shown_level(found.level) is level), base)
        for level in (Level.ERROR, Level.WARNING, Level.NOTE)
    }
    started = None if run.invocation is None else run.invocation.started
    return ReportView(
        tool=f"{run.tool.name} {run.tool.version}",
        successful=run.successful,
        outcome=_outcome(run.successful, facts),
        started="" if started is None else f"{started:%Y-%m-%d %H:%M:%S} UTC",
        headline=_headline(run, facts or ExportFacts()),
        facts=facts or ExportFacts(),
        has_facts=facts is not None,
        # What has a line can be mended.
        errors=sorted(by_level[Level.ERROR], key=lambda group: not group.places),
        mismatch_advice=_mismatch_advice(
            apart.get(VERIFICATION_MISMATCH.code, ()), bool(by_level[Level.ERROR])
        ),
        on_comparisons=_groups(apart.get(DIFFERENCE_NOT_LOCALISED.code, ()), base),
        warnings=by_level[Level.WARNING],
        notes=by_level[Level.NOTE],
        unsupported=_unsupported(run.diagnostics),
    )


def _of_comparisons(diagnostics: Iterable[Diagnostic]) -> Mapping[str, Sequence[Diagnostic]]:
    """The findings that the table of comparisons stands for, by their codes."""
    found: dict[str, list[Diagnostic]] = {VERIFICATION_MISMATCH.code: [], DIFFERENCE_NOT_LOCALISED.code: []}
    for finding in diagnostics:
        if finding.rule.code in found:
            found[finding.rule.code].append(finding)
    return found


def _mismatch_advice(mismatches: Iterable[Diagnostic], is_explained: bool) -> Sequence[str]:
    advice = dict.fromkeys(finding.advice for finding in mismatches)
    return [text for text in advice if text and not (is_explained and text == REPORT_ADVICE)]


def _shown_level(level: Level) -> Level:
    return Level.NOTE if level is Level.NONE else level


# What every export goes through.
_STAGES = ("capture", "passes", "lowering", "finish", "check")


# Whose translations no test of this project covers, or which are no translations of the operator itself.
_SECONDHAND = frozenset((DECOMPOSITION, "onnxscript's torch_lib"))


def is_secondhand(operator: OperatorFact) -> bool:
    """Whether a call of an operator was translated by its parts, or by another project."""
    return not _SECONDHAND.isdisjoint(operator.translated or ())


def untranslated(operator: OperatorFact) -> int:
    """How many calls of an operator have no translation."""
    if operator.cleaned is None or operator.translated is None:
        return 0
    return operator.cleaned - sum(operator.translated.values())


def _outcome(successful: bool, facts: ExportFacts | None) -> str:
    if facts is None:
        return "Succeeded" if successful else "Failed"
    if not successful:
        return "Differs from PyTorch" if facts.comparisons else "Not exported"
    return "Exported and verified" if facts.comparisons else "Exported"


def _headline(run: Run, facts: ExportFacts) -> str:
    if facts.failure is not None:
        message = facts.failure.message.partition("\n")[0]
        # What has findings is told in words of its own; all else is an exception of Python's.
        is_told = message and any(found.level is Level.ERROR for found in run.diagnostics)
        return message if is_told else f"{facts.failure.error}: {message}".removesuffix(": ")
    if not run.successful:
        first = next((found for found in run.diagnostics if found.level is Level.ERROR), None)
        return "" if first is None else first.message.partition("\n")[0]
    if facts.verified:
        sizes = counted(len({found.sizes for found in facts.comparisons}), "set")
        return f"The file computes what PyTorch computes, at {sizes} of sizes."
    if not facts.nodes:
        return ""
    return (
        "The file passed the checker. It was not compared with PyTorch: export it with verify=True for that."
    )


# Rules of the lowering: what they find as errors is an operator without a place in the file.
_LOWERING = "LOW"


def _unsupported(diagnostics: Iterable[Diagnostic]) -> Mapping[str, int]:
    found = Counter(
        str(finding.location.op)
        for finding in diagnostics
        if finding.level is Level.ERROR
        and finding.rule.code.startswith(_LOWERING)
        and finding.location is not None
        and finding.location.op is not None
    )
    return by_count(found)


def _groups(diagnostics: Iterable[Diagnostic], base: str) -> tuple[FindingGroup, ...]:
    groups: dict[tuple[str, str, str], list[Diagnostic]] = {}
    for finding in diagnostics:
        groups.setdefault((finding.rule.code, finding.message, finding.advice), []).append(finding)
    return tuple(_group(group, base) for group in groups.values())


def _group(group: Sequence[Diagnostic], base: str) -> FindingGroup:
    first = group[0]
    places = Counter(_place(found.location, base) for found in group if found.location is not None)
    led_here = [_place(place, base, "see also") for place in first.related]
    led_here += [_place(frame, base, _BY_WAY) for stack in first.stacks for frame in stack.frames]
    return FindingGroup(
        first.rule.code,
        first.rule.name,
        _shown_level(first.level).sarif_name,
        first.message,
        first.advice,
        _link(first.rule.help_uri),
        [dataclasses.replace(place, count=count) for place, count in places.items()],
        led_here if len(group) == 1 else [],
        list(dict.fromkeys(fix.description for found in group for fix in found.fixes)),
    )


def _link(uri: str | None) -> str:
    """The address, if it is one of the web: a log may be anyone's."""
    return uri if uri is not None and _WEB.fullmatch(uri) else ""


_WEB = re.compile(r"https?://[^\s<>\"'()]+")


_BY_WAY = "called by way of"


def _place(location: Location, base: str, why: str = "") -> Place:
    function = location.name_of(LogicalKind.FUNCTION) or location.name_of(LogicalKind.TYPE)
    names = (location.module, f"({function})" if function else None, location.op)
    text = "" if location.physical is None else location.physical.snippet or ""
    return Place(
        _line(location, base),
        textwrap.dedent(text).rstrip(),
        "  ".join(name for name in names if name),
        why and (location.message or why),
    )


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
