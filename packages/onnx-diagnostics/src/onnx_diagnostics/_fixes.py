"""Fixes: changes of the source that would remove a finding."""

from __future__ import annotations

import os
from dataclasses import dataclass

from onnx_diagnostics._locations import Region

__all__ = ["Fix", "Replacement"]


@dataclass(frozen=True)
class Replacement:
    """Text that takes the place of a region of a file.

    Attributes:
        path: the file; a relative path is relative to the workspace.
        region: what is replaced; a region that ends where it begins is a place for an insertion.
        text: what stands there instead.

    Raises:
        ValueError: the path is empty, or names no file but generated code.
    """

    path: str
    region: Region
    text: str

    def __post_init__(self) -> None:
        if not self.path or self.path.startswith("<"):
            raise ValueError(f"a replacement needs a file, got {self.path!r}")


@dataclass(frozen=True)
class Fix:
    """A change of the source that a tool may make for the user (SARIF 2.1.0, section 3.55).

    What the user has to think about is the advice of a rule, not a fix.

    Attributes:
        description: what the change does, as `spell the axis out`.
        replacements: the changes, in any number of files.

    Raises:
        ValueError: there is no description, or nothing is replaced.
    """

    description: str
    replacements: tuple[Replacement, ...]

    def __post_init__(self) -> None:
        if not self.description:
            raise ValueError("a fix says what it does")
        if not self.replacements:
            raise ValueError(f"the fix {self.description!r} replaces nothing")

    @classmethod
    def line(cls, file: str | os.PathLike[str], line: int, text: str, *, description: str) -> Fix:
        """Build the fix that replaces a whole line of a file.

        Args:
            file: path of the file.
            line: number of the line, from 1.
            text: what stands there instead, without a newline at the end.
            description: what the change does.

        Raises:
            ValueError: the path is empty, or the number is below 1.
        """
        return cls(description, (Replacement(os.fspath(file), Region(line), text),))
