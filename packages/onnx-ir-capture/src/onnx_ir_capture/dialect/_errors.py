"""Errors of the torch dialect."""

from __future__ import annotations

__all__ = ["DialectError", "DialectSyntaxError"]


class DialectError(ValueError):
    """A program, a text or a file is not of the torch dialect, or cannot be kept as one."""


class DialectSyntaxError(DialectError):
    """A text is no dialect program.

    ``line`` and ``column`` are 1-based; ``expected`` says what could have stood there.
    """

    def __init__(self, line: int, column: int, expected: str, found: str) -> None:
        super().__init__(f"line {line}, column {column}: expected {expected}, found {found}")
        self.line = line
        self.column = column
        self.expected = expected
