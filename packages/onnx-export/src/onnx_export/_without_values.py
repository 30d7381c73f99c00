"""Logs without the values of tensors, which the text of an exception may have brought along."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping

from onnx_diagnostics import Diagnostic, Location, PropertyValue, Run

__all__ = ["elided", "run_without_values"]

_CALL = re.compile(r"\b(tensor|array)\(")
# How numpy prints an array: numbers with nothing but white space between them. Shapes have commas.
_NUMBER = r"[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|\.\d+|nan|inf)"
_PRINTED = re.compile(rf"\[[\s\[]*{_NUMBER}(?:[\s\[\]]+{_NUMBER})+[\s\]]*\]", re.IGNORECASE)

# How torch prints a tensor from C++, where a trace meets one: the numbers, and then its type.
_PART = rf"(?:{_NUMBER}|\*|Columns\s+\d+\s+(?:to|and)\s+\d+|\([\d,.]+\)\s+=)"
_NATIVE = re.compile(rf"(?<!\S){_PART}(?:\s+{_PART})*\s+(\[\s+[\w.]+\{{[\d,]*\}}\s+\])", re.IGNORECASE)


def elided(text: str) -> str:
    """``text`` without what stands in the parentheses of a printed tensor or array."""
    parts: list[str] = []
    begin = 0
    while (found := _CALL.search(text, begin)) is not None:
        parts += [text[begin : found.end()], "…)"]
        begin = _end_of_call(text, found.end())
    parts.append(text[begin:])
    return _NATIVE.sub(r"… \1", _PRINTED.sub("[…]", "".join(parts)))


def _end_of_call(text: str, begin: int) -> int:
    """Where the call ends that has its arguments from ``begin`` on; the end of a text that was cut off."""
    depth = 1
    for place in range(begin, len(text)):
        depth += (text[place] == "(") - (text[place] == ")")
        if depth == 0:
            return place + 1
    return len(text)


def run_without_values(run: Run) -> Run:
    """The run as a log may have it."""
    return dataclasses.replace(
        run,
        diagnostics=[_finding(found) for found in run.diagnostics],
        properties={key: _property(value) for key, value in run.properties.items()},
    )


def _finding(found: Diagnostic) -> Diagnostic:
    return dataclasses.replace(
        found,
        message=elided(found.message),
        advice=elided(found.advice),
        location=None if found.location is None else _place(found.location),
        related=tuple(_place(place) for place in found.related),
        properties={key: _property(value) for key, value in found.properties.items()},
    )


def _place(place: Location) -> Location:
    return dataclasses.replace(place, message=elided(place.message)) if place.message else place


def _property(value: PropertyValue) -> PropertyValue:
    if isinstance(value, str):
        return elided(value)
    if isinstance(value, Mapping):
        return {key: _property(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return tuple(_property(item) for item in value)
    return value
