"""A place in a text that is being read, and errors that say where it was."""

from __future__ import annotations

import json
import re

from onnx_ir_capture.dialect._errors import DialectSyntaxError

__all__ = ["Cursor"]

_BLANK = re.compile(r"(?:\s|#[^\n]*)*")
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"?|[%@]?[\w.$/:-]+|->|\S')


class Cursor:
    """Reads a text from left to right; blanks and ``#`` comments separate and mean nothing."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self._skip()

    def accept(self, literal: str) -> bool:
        """Step over ``literal`` if it comes next. A word must end where the literal does."""
        end = self._position + len(literal)
        if not self._text.startswith(literal, self._position):
            return False
        if literal[-1].isalnum() and self._text[end : end + 1].isalnum():
            return False
        self._move(end)
        return True

    def expect(self, literal: str, what: str | None = None) -> None:
        """Step over ``literal``, which must come next."""
        if not self.accept(literal):
            raise self.error(what or repr(literal))

    def match(self, pattern: re.Pattern[str]) -> str | None:
        """Step over what ``pattern`` matches here, and return it."""
        found = pattern.match(self._text, self._position)
        if found is None or found.end() == self._position:
            return None
        self._move(found.end())
        return found.group()

    def string(self) -> str | None:
        """Step over a quoted string, and return what it says."""
        start = self._position
        quoted = self.match(_STRING)
        if quoted is None:
            return None
        try:
            decoded = json.loads(quoted)
        except json.JSONDecodeError:
            raise self.error("a string with the escapes of JSON", start) from None
        return str(decoded)

    def before(self, stops: str) -> str:
        """Step over everything up to one of ``stops`` that stands in no parentheses, and return it."""
        depth, end = 0, self._position
        while end < len(self._text) and not (depth <= 0 and self._text[end] in stops):
            depth += {"(": 1, ")": -1}.get(self._text[end], 0)
            end += 1
        found = self._text[self._position : end].strip()
        self._move(end)
        return found

    def word(self, pattern: re.Pattern[str], what: str) -> str:
        """Step over what ``pattern`` matches, or over a quoted string, one of which must come next."""
        quoted = self.string()
        if quoted is not None:
            return quoted
        found = self.match(pattern)
        if found is None:
            raise self.error(what)
        return found

    @property
    def position(self) -> int:
        """Offset of the next character, to hand to :meth:`error`."""
        return self._position

    def peek(self, literal: str) -> bool:
        """Whether ``literal`` comes next."""
        return self._text.startswith(literal, self._position)

    def matches(self, pattern: re.Pattern[str]) -> bool:
        """Whether ``pattern`` matches here."""
        return pattern.match(self._text, self._position) is not None

    def at_end(self) -> bool:
        """Whether nothing is left."""
        return self._position == len(self._text)

    def error(
        self, expected: str, position: int | None = None, found: str | None = None
    ) -> DialectSyntaxError:
        """The error to raise when something else than ``expected`` stands at ``position``."""
        position = self._position if position is None else position
        line = self._text.count("\n", 0, position) + 1
        column = position - (self._text.rfind("\n", 0, position) + 1) + 1
        token = _TOKEN.match(self._text, position)
        return DialectSyntaxError(
            line, column, expected, found or (repr(token.group()) if token else "the end")
        )

    def _move(self, position: int) -> None:
        self._position = position
        self._skip()

    def _skip(self) -> None:
        blank = _BLANK.match(self._text, self._position)
        if blank is not None:
            self._position = blank.end()
