"""The tool that found something, and one run of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from onnx_diagnostics._diagnostic import Diagnostic, PropertyValue
from onnx_diagnostics._rules import Level, Rule, claim_code

if TYPE_CHECKING:
    from datetime import datetime

    from onnx_diagnostics._artifact import Artifact

__all__ = ["Invocation", "Run", "Tool"]


@dataclass(frozen=True)
class Tool:
    """The program that reports.

    Attributes:
        name: its name, such as `onnx-export`.
        version: its version.
        information_uri: absolute URI of its home page.

    Raises:
        ValueError: the name or the version is empty.
    """

    name: str
    version: str
    information_uri: str | None = None

    def __post_init__(self) -> None:
        if not self.name or not self.version:
            raise ValueError("a tool needs a name and a version")


@dataclass(frozen=True)
class Invocation:
    """How a run of the tool went.

    Attributes:
        successful: whether the tool did what it was asked for.
        started: when it began, with a time zone.
        ended: when it ended, with a time zone.
        exit_code: the exit code of the process.
        command_line: the program and its arguments, such as `sys.argv`. The log has `~` for the home folder.

    Raises:
        ValueError: a time has no time zone, or the end is before the start.
    """

    successful: bool
    started: datetime | None = None
    ended: datetime | None = None
    exit_code: int | None = None
    command_line: Sequence[str] = ()

    def __post_init__(self) -> None:
        for time in (self.started, self.ended):
            if time is not None and time.tzinfo is None:
                raise ValueError(f"time {time.isoformat()} of an invocation needs a time zone")
        if self.started is not None and self.ended is not None and self.ended < self.started:
            raise ValueError("an invocation cannot end before it started")


@dataclass(frozen=True)
class Run:
    """Everything that a log says of one run.

    Attributes:
        tool: the program that reported.
        diagnostics: what it found, in the order of the log; a collection that makes them anew whenever it is
            iterated over will do, and keeps a long log out of memory.
        rules: rules that the log describes beside those that were broken.
        invocation: how the run went; None stands for success if there is no finding of level ERROR.
        base: folder of the workspace: files inside it appear under paths relative to it, so that the log can
            be read on another machine. None is the current folder.
        artifacts: files that the run read or wrote, beside those that findings are in.
        properties: further facts about the run, for programs.

    Raises:
        ValueError: two different rules have the same code.
    """

    tool: Tool
    diagnostics: Collection[Diagnostic]
    rules: Sequence[Rule] = ()
    invocation: Invocation | None = None
    base: str | None = None
    artifacts: Sequence[Artifact] = ()
    properties: Mapping[str, PropertyValue] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        _ = self.described_rules

    @cached_property
    def described_rules(self) -> tuple[Rule, ...]:
        """The rules that the log describes, by ascending code."""
        by_code: dict[str, Rule] = {}
        for rule in self.rules:
            claim_code(by_code, rule)
        for diagnostic in self.diagnostics:
            claim_code(by_code, diagnostic.rule)
        return tuple(by_code[code] for code in sorted(by_code))

    @property
    def successful(self) -> bool:
        """Whether the tool did what it was asked for."""
        if self.invocation is not None:
            return self.invocation.successful
        return all(diagnostic.level is not Level.ERROR for diagnostic in self.diagnostics)
