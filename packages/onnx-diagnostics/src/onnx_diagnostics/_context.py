"""Collecting what the stages of a program find."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ContextDecorator
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeAlias

from onnx_diagnostics._diagnostic import Diagnostic, PropertyValue, frozen_properties
from onnx_diagnostics._locations import Location
from onnx_diagnostics._rules import Level, Rule, claim_code
from onnx_diagnostics._run import Invocation, Run, Tool

if TYPE_CHECKING:
    from onnx_diagnostics._artifact import Artifact
    from onnx_diagnostics._fixes import Fix
    from onnx_diagnostics._stacks import Stack

__all__ = ["DiagnosticContext", "LocationScope", "LocationSource"]

LocationSource: TypeAlias = "Location | Callable[[], Location | None]"
"""A location, or how to find it out: a call that is only made when something is reported."""


class DiagnosticContext(ContextDecorator):
    """Collects diagnostics; every stage of a program reports through one.

    A context is iterable, in the order of reporting, and may be shared by threads. Costs arise only where
    something is reported.

    While it is entered, as a context manager or as a decorator, `DiagnosticContext.current()` returns it to
    code that it was not handed to. Contexts nest, and may be entered again. A thread or task that is started
    meanwhile enters it itself.

    Example:
        context = DiagnosticContext("my-checker", "1.0")
        with context.at(Location.at("model.py", 12, module="encoder.0")):
            context.report(UNUSED_INPUT, name="mask")
        if context.has_errors: ...
    """

    def __init__(self, tool_name: str, tool_version: str, *, information_uri: str | None = None) -> None:
        """Start with nothing found.

        Args:
            tool_name: name of the program that reports.
            tool_version: its version.
            information_uri: absolute URI of its home page.

        Raises:
            ValueError: the name or the version is empty.
        """
        self._tool = Tool(tool_name, tool_version, information_uri)
        self._parent: DiagnosticContext | None = None
        self._found: list[Diagnostic] = []
        self._shared = _Shared()

    @property
    def tool(self) -> Tool:
        """The program that reports."""
        return self._tool

    @staticmethod
    def current() -> DiagnosticContext | None:
        """Return the context that was entered last on this thread or in this task, or None."""
        entered = _ENTERED.get()
        return entered[-1] if entered else None

    def __enter__(self) -> DiagnosticContext:
        _ENTERED.set((*_ENTERED.get(), self))
        return self

    def __exit__(self, *exc_info: object) -> None:
        _ENTERED.set(_ENTERED.get()[:-1])

    def child(self) -> DiagnosticContext:
        """Return a context for one stage: what it collects goes to this one, too, at once.

        The child answers `has_errors` and the like for the stage alone. It shares the current location.
        """
        child = DiagnosticContext.__new__(DiagnosticContext)
        child._tool = self._tool
        child._parent = self
        child._found = []
        child._shared = self._shared
        return child

    def at(self, location: LocationSource) -> LocationScope:
        """Set the location of what is reported meanwhile without one, on this thread.

        Args:
            location: the location, or a call without arguments that finds it out when it is needed.

        Returns:
            A context manager, which serves as a decorator, too, and may be used again.
        """
        return LocationScope(self._shared, location)

    @property
    def current_location(self) -> Location | None:
        """The location that a report without one gets on this thread."""
        places = self._shared.places
        if not places:
            return None
        innermost = places[-1]
        return innermost if isinstance(innermost, Location) else innermost()

    def report(
        self,
        rule: Rule,
        /,
        *,
        location: Location | None = None,
        level: Level | None = None,
        related: Iterable[Location] = (),
        properties: Mapping[str, PropertyValue] | None = None,
        stacks: Iterable[Stack] = (),
        fixes: Iterable[Fix] = (),
        **placeholders: object,
    ) -> Diagnostic:
        """Record a finding.

        Args:
            rule: the kind of finding.
            location: where; else the current location.
            level: how much it matters; else the rule's level.
            related: other places that explain it.
            properties: further facts for programs; never values of weights or inputs.
            stacks: how the program came there.
            fixes: changes of the source that would remove the finding, each by itself.
            **placeholders: a value for each placeholder of the rule.

        Returns:
            The finding.

        Raises:
            TypeError: a placeholder has no value or a value no placeholder, or a property is not for JSON.
            ValueError: another rule with the same code was reported before.
        """
        message, advice = rule.format(placeholders)
        diagnostic = Diagnostic(
            rule=rule,
            level=rule.level if level is None else level,
            message=message,
            location=self.current_location if location is None else location,
            related=tuple(related),
            properties={} if properties is None else frozen_properties(properties),
            advice=advice,
            stacks=tuple(stacks),
            fixes=tuple(fixes),
        )
        self._record(diagnostic)
        return diagnostic

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Record findings of another context, such as one that collected those of an attempt.

        Raises:
            ValueError: another rule with the code of one of them was reported before.
        """
        for diagnostic in diagnostics:
            self._record(diagnostic)

    def _record(self, diagnostic: Diagnostic) -> None:
        with self._shared.lock:
            claim_code(self._shared.rules, diagnostic.rule)
            context: DiagnosticContext | None = self
            while context is not None:
                context._found.append(diagnostic)
                context = context._parent

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What was found so far, in the order of reporting."""
        with self._shared.lock:
            return tuple(self._found)

    def __iter__(self) -> Iterator[Diagnostic]:
        """Iterate over what was found when the iteration began."""
        return iter(self.diagnostics)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The findings of level ERROR."""
        return tuple(diagnostic for diagnostic in self if diagnostic.level is Level.ERROR)

    @property
    def has_errors(self) -> bool:
        """Whether a finding has level ERROR."""
        return any(diagnostic.level is Level.ERROR for diagnostic in self)

    def of(self, rule: Rule) -> tuple[Diagnostic, ...]:
        """Return the findings of one rule."""
        return tuple(diagnostic for diagnostic in self if diagnostic.rule == rule)

    def run(
        self,
        *,
        rules: Iterable[Rule] = (),
        invocation: Invocation | None = None,
        base: str | os.PathLike[str] | None = None,
        artifacts: Iterable[Artifact] = (),
        properties: Mapping[str, PropertyValue] | None = None,
    ) -> Run:
        """Return what was found so far as a run, which can be written as a log.

        Args:
            rules: rules that the log describes beside those that were broken, such as a `RuleSet`.
            invocation: how the run went; None stands for success if there is no finding of level ERROR.
            base: folder of the workspace; None is the current folder.
            artifacts: files that the run read or wrote, beside those that findings are in.
            properties: further facts about the run, for programs.

        Raises:
            TypeError: a property is not for JSON.
            ValueError: two different rules have the same code.
        """
        folder = None if base is None else os.fspath(base)
        facts = {} if properties is None else frozen_properties(properties)
        return Run(self._tool, self.diagnostics, tuple(rules), invocation, folder, tuple(artifacts), facts)

    def __repr__(self) -> str:
        return f"DiagnosticContext({self._tool.name!r}, {len(self.diagnostics)} diagnostics)"


_ENTERED: ContextVar[tuple[DiagnosticContext, ...]] = ContextVar("onnx_diagnostics_entered", default=())


class _Shared:
    """What a context and its children have in common."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.rules: dict[str, Rule] = {}
        self._thread = _ThreadPlaces()

    @property
    def places(self) -> list[LocationSource]:
        """The locations set on this thread, innermost last."""
        return self._thread.places


class _ThreadPlaces(threading.local):
    def __init__(self) -> None:
        self.places: list[LocationSource] = []


class LocationScope(ContextDecorator):
    """While it is entered, reports without a location get this one; `DiagnosticContext.at` makes it."""

    def __init__(self, shared: _Shared, location: LocationSource) -> None:
        self._shared = shared
        self._location = location

    def __enter__(self) -> None:
        self._shared.places.append(self._location)

    def __exit__(self, *exc_info: object) -> None:
        self._shared.places.pop()
