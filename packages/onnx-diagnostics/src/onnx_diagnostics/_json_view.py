"""Reading JSON of unknown shape: what is missing or of another type is told with its place."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from onnx_diagnostics._diagnostic import PropertyValue

__all__ = ["JsonView", "SarifError"]


class SarifError(ValueError):
    """A text is no SARIF log that can be read; the message says where and why."""


class JsonView:
    """A JSON value together with the path that leads to it, such as `runs[0].results[3]`."""

    def __init__(self, value: object, path: str = "") -> None:
        """Look at a value.

        Args:
            value: the value.
            path: how it is reached; empty for the whole text.
        """
        self._value = value
        self._path = path

    @classmethod
    def of_text(cls, text: str) -> JsonView:
        """Read a JSON text.

        Raises:
            SarifError: it is none.
        """
        try:
            value: object = json.loads(text)
        except json.JSONDecodeError as error:
            reason = "it ends too early" if error.pos >= len(text.rstrip()) - 1 else error.msg
            raise SarifError(
                f"the log is truncated or no JSON: {reason}, line {error.lineno}, column {error.colno}"
            ) from error
        except RecursionError as error:
            raise SarifError("the log is nested too deeply") from error
        return cls(value)

    def error(self, what: str) -> SarifError:
        """Return the error that says what is wrong with this value."""
        return SarifError(f"{self._path or 'the log'} {what}")

    @property
    def exists(self) -> bool:
        """Whether there is a value here."""
        return self._value is not None

    def __getitem__(self, key: str) -> JsonView:
        """Return the value of a key; one that does not exist where the object lacks it."""
        if not isinstance(self._value, dict):
            raise self._wrong("an object")
        return JsonView(self._value.get(key), f"{self._path}.{key}" if self._path else key)

    def __iter__(self) -> Iterator[JsonView]:
        """Iterate over the items of a list; a list that does not exist is empty."""
        if not self.exists:
            return
        if not isinstance(self._value, list):
            raise self._wrong("a list")
        for index, item in enumerate(self._value):
            yield JsonView(item, f"{self._path}[{index}]")

    def text(self, default: str | None = None) -> str:
        """Return the text; the default where there is none.

        Raises:
            SarifError: it is something else, or is missing and has no default.
        """
        if not self.exists and default is not None:
            return default
        if not isinstance(self._value, str):
            raise self._wrong("a text")
        return self._value

    def text_or_none(self) -> str | None:
        """Return the text, or None where there is none."""
        return self.text() if self.exists else None

    def number_or_none(self) -> int | None:
        """Return the integer, or None where there is none."""
        if not self.exists:
            return None
        if not isinstance(self._value, int) or isinstance(self._value, bool):
            raise self._wrong("an integer")
        return self._value

    def flag(self) -> bool:
        """Return the truth value, False where there is none."""
        if not isinstance(self._value, bool) and self.exists:
            raise self._wrong("true or false")
        return self._value is True

    def properties(self) -> dict[str, PropertyValue]:
        """Return the property bag, empty where there is none."""
        if not self.exists:
            return {}
        if not isinstance(self._value, dict):
            raise self._wrong("an object")
        return {key: _property(value) for key, value in self._value.items()}

    def _wrong(self, wanted: str) -> SarifError:
        found = "is missing" if self._value is None else f"is {json.dumps(self._value)[:40]}"
        return self.error(f"{found}, where {wanted} is needed")


def _property(value: object) -> PropertyValue:
    if isinstance(value, Mapping):
        return {str(key): _property(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_property(item) for item in value]
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    raise TypeError(f"JSON has no {type(value).__name__}")
