"""Where a finding is: a region of a file, and names of what stands there."""

from __future__ import annotations

import enum
import os
from dataclasses import dataclass

__all__ = ["Location", "LogicalKind", "LogicalLocation", "PhysicalLocation", "Region"]


@dataclass(frozen=True)
class Region:
    """A part of a text file.

    Lines and columns count from 1, columns in Unicode code points. `end_column` is the column after the last
    character (SARIF 2.1.0, section 3.30.8); without columns the region is whole lines.

    Raises:
        ValueError: a number is below 1, or the region ends before it starts.
    """

    start_line: int
    start_column: int | None = None
    end_line: int | None = None
    end_column: int | None = None

    def __post_init__(self) -> None:
        for name in ("start_line", "start_column", "end_line", "end_column"):
            number: int | None = getattr(self, name)
            if number is not None and number < 1:
                raise ValueError(f"{name} counts from 1, got {number}")
        if self.last_line < self.start_line:
            raise ValueError(
                f"the region ends on line {self.end_line}, before its start on {self.start_line}"
            )
        if self.end_column is None or self.last_line > self.start_line:
            return
        if self.end_column < (self.start_column or 1):
            raise ValueError(f"the region ends at column {self.end_column}, before its start")

    @property
    def last_line(self) -> int:
        """The last line of the region."""
        return self.start_line if self.end_line is None else self.end_line


@dataclass(frozen=True)
class PhysicalLocation:
    """A file, and the region of it that is meant.

    Attributes:
        path: the file, in the form of the operating system; a relative one is relative to the workspace.
        region: the region, or None for the file as a whole.
        snippet: text of the region, when the file will not be there to read it from.

    Raises:
        ValueError: the path is empty.
    """

    path: str
    region: Region | None = None
    snippet: str | None = None

    def __post_init__(self) -> None:
        if not self.path:
            raise ValueError("a physical location needs a file path")


class LogicalKind(enum.Enum):
    """What a name denotes: kinds of SARIF 2.1.0, section 3.33.7, and `operator`, which it does not list."""

    MODULE = "module"
    TYPE = "type"
    FUNCTION = "function"
    OPERATOR = "operator"
    VARIABLE = "variable"
    PARAMETER = "parameter"
    NAMESPACE = "namespace"
    MEMBER = "member"
    RESOURCE = "resource"
    ELEMENT = "element"


@dataclass(frozen=True)
class LogicalLocation:
    """A construct that has a name, with no regard to files.

    Attributes:
        kind: what the name denotes.
        name: the full name, such as the module path `encoder.layer.0.attention` or the operator `aten::relu`.

    Raises:
        ValueError: the name is empty.
    """

    kind: LogicalKind
    name: str

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError(f"a logical location of kind {self.kind.value!r} needs a name")


@dataclass(frozen=True)
class Location:
    """One place: in a file, among named constructs, or both.

    Attributes:
        physical: file and region, or None where there is no source.
        logical: names of the constructs that the place is in, outermost first.
        message: what this place has to do with the finding; used in related locations.
    """

    physical: PhysicalLocation | None = None
    logical: tuple[LogicalLocation, ...] = ()
    message: str | None = None

    @classmethod
    def at(
        cls,
        file: str | os.PathLike[str],
        line: int | None = None,
        column: int | None = None,
        *,
        end_line: int | None = None,
        end_column: int | None = None,
        snippet: str | None = None,
        module: str | None = None,
        class_name: str | None = None,
        function: str | None = None,
        op: str | None = None,
        message: str | None = None,
    ) -> Location:
        """Build the location of a line of a file.

        Args:
            file: path of the file.
            line: line of the file from 1, or None for the whole file.
            column: column from 1, in code points.
            end_line: last line.
            end_column: column after the last character.
            snippet: text of the region, when the file will not be there to read it from.
            module: path of the module in the model; empty is the same as None.
            class_name: class of the module.
            function: function, or method of `class_name` with the class in front or without.
            op: operator that is called there.
            message: what this place has to do with the finding.

        Raises:
            ValueError: the path is empty, or the region is no region.
        """
        region = None if line is None else Region(line, column, end_line, end_column)
        return cls(
            PhysicalLocation(os.fspath(file), region, snippet),
            _names(module, class_name, function, op),
            message,
        )

    @classmethod
    def named(
        cls,
        *,
        module: str | None = None,
        class_name: str | None = None,
        function: str | None = None,
        op: str | None = None,
        message: str | None = None,
    ) -> Location:
        """Build a location that has no source; the arguments are those of `at`."""
        return cls(None, _names(module, class_name, function, op), message)

    @property
    def file(self) -> str | None:
        """Path of the file."""
        return None if self.physical is None else self.physical.path

    @property
    def line(self) -> int | None:
        """First line of the region, from 1."""
        if self.physical is None or self.physical.region is None:
            return None
        return self.physical.region.start_line

    @property
    def module(self) -> str | None:
        """Path of the innermost module in the model."""
        return self.name_of(LogicalKind.MODULE)

    @property
    def op(self) -> str | None:
        """The operator that is called there."""
        return self.name_of(LogicalKind.OPERATOR)

    def name_of(self, kind: LogicalKind) -> str | None:
        """Return the innermost name of a kind, or None."""
        return next((place.name for place in reversed(self.logical) if place.kind is kind), None)


def _names(
    module: str | None, class_name: str | None, function: str | None, op: str | None
) -> tuple[LogicalLocation, ...]:
    if function and class_name and not function.startswith(f"{class_name}."):
        function = f"{class_name}.{function}"
    named = (
        (LogicalKind.MODULE, module),
        (LogicalKind.TYPE, class_name),
        (LogicalKind.FUNCTION, function),
        (LogicalKind.OPERATOR, op),
    )
    return tuple(LogicalLocation(kind, name) for kind, name in named if name)
