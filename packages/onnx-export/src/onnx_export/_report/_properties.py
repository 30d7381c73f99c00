"""The facts of an export among the properties of a run, and read from there."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from onnx_diagnostics import PropertyValue
from onnx_export._report._facts import (
    ComparisonFact,
    DimensionFact,
    ExportFacts,
    Failure,
    FileFact,
    ModuleFact,
    OperatorFact,
    StageFact,
    TensorFact,
    WeightFact,
)

__all__ = ["FACTS_KEY", "FactsError", "facts_of", "properties_of"]

FACTS_KEY = "onnx_export"
"""The property of a SARIF run that holds the facts of its export."""

_VERSION = 1

_T = TypeVar("_T")


class FactsError(ValueError):
    """The properties of a run hold something else than the facts of an export; the message says where."""


def properties_of(facts: ExportFacts) -> dict[str, PropertyValue]:
    """The facts as properties of a SARIF run."""
    return {FACTS_KEY: {"version": _VERSION, **dataclasses.asdict(facts)}}


def facts_of(properties: Mapping[str, PropertyValue]) -> ExportFacts | None:
    """The facts that a run holds; None for a run of another program, or of a later version of this one.

    Raises:
        FactsError: they are damaged.
    """
    if FACTS_KEY not in properties:
        return None
    found = _Item(properties[FACTS_KEY], FACTS_KEY)
    if found["version"].number() > _VERSION:
        return None
    failure = found["failure"]
    return ExportFacts(
        model=found["model"].text(),
        route=found["route"].text(),
        opset=found["opset"].number(),
        options=found["options"].mapping(_Item.text),
        versions=found["versions"].mapping(_Item.text),
        failure=_failure(failure) if failure.exists else None,
        stages=found["stages"].items(_stage),
        examples=found["examples"].items(_tensor),
        inputs=found["inputs"].items(_tensor),
        outputs=found["outputs"].items(_tensor),
        dimensions=found["dimensions"].items(_dimension),
        modules=found["modules"].items(_module),
        operators=found["operators"].items(_operator),
        nodes=found["nodes"].mapping(_Item.number),
        weights=found["weights"].items(_weight),
        comparisons=found["comparisons"].items(_comparison),
        verified=found["verified"].flag(),
        files=found["files"].items(_file),
    )


class _Item:
    """A property together with the path that leads to it."""

    def __init__(self, value: PropertyValue, path: str) -> None:
        self._value, self._path = value, path

    @property
    def exists(self) -> bool:
        return self._value is not None

    def __getitem__(self, key: str) -> _Item:
        if not isinstance(self._value, Mapping):
            raise self._wrong("an object")
        return _Item(self._value.get(key), f"{self._path}.{key}")

    def text(self) -> str:
        if not isinstance(self._value, str):
            raise self._wrong("a text")
        return self._value

    def flag(self) -> bool:
        if not isinstance(self._value, bool):
            raise self._wrong("true or false")
        return self._value

    def number(self) -> int:
        if not isinstance(self._value, int) or isinstance(self._value, bool):
            raise self._wrong("an integer")
        return self._value

    def number_or_none(self) -> int | None:
        return self.number() if self.exists else None

    def real(self) -> float:
        """A number; JSON has neither infinities nor NaN, for which a text stands."""
        if isinstance(self._value, str) and self._value in ("inf", "-inf", "nan"):
            return float(self._value)
        if not isinstance(self._value, int | float) or isinstance(self._value, bool):
            raise self._wrong("a number")
        return float(self._value)

    def items(self, read: Callable[[_Item], _T]) -> tuple[_T, ...]:
        return tuple(read(item) for item in self._items())

    def items_or_none(self, read: Callable[[_Item], _T]) -> tuple[_T, ...] | None:
        return self.items(read) if self.exists else None

    def mapping(self, read: Callable[[_Item], _T]) -> dict[str, _T]:
        if not isinstance(self._value, Mapping):
            raise self._wrong("an object")
        return {key: read(self[key]) for key in self._value}

    def _items(self) -> Iterator[_Item]:
        if not isinstance(self._value, list | tuple):
            raise self._wrong("a list")
        for index, value in enumerate(self._value):
            yield _Item(value, f"{self._path}[{index}]")

    def _wrong(self, wanted: str) -> FactsError:
        found = "is missing" if self._value is None else f"is a {type(self._value).__name__}"
        return FactsError(f"the log's property {self._path} {found}, where {wanted} is needed")


def _failure(item: _Item) -> Failure:
    return Failure(item["error"].text(), item["message"].text(), item["stage"].text())


def _stage(item: _Item) -> StageFact:
    return StageFact(
        item["name"].text(),
        item["seconds"].real(),
        item["peak"].number_or_none(),
        item["growth"].number_or_none(),
        item["finished"].flag(),
    )


def _tensor(item: _Item) -> TensorFact:
    return TensorFact(item["name"].text(), item["dtype"].text(), item["shape"].items_or_none(_Item.text))


def _dimension(item: _Item) -> DimensionFact:
    return DimensionFact(item["name"].text(), item["lower"].number(), item["upper"].number_or_none())


def _module(item: _Item) -> ModuleFact:
    return ModuleFact(item["path"].text(), item["class_name"].text(), item["calls"].number())


def _operator(item: _Item) -> OperatorFact:
    return OperatorFact(
        item["op"].text(),
        item["captured"].number(),
        item["cleaned"].number_or_none(),
        item["translated"].mapping(_Item.number) if item["translated"].exists else None,
        item["nodes"].mapping(_Item.number),
    )


def _weight(item: _Item) -> WeightFact:
    return WeightFact(
        item["name"].text(),
        item["kind"].text(),
        item["dtype"].text(),
        item["shape"].items_or_none(_Item.text),
        item["nbytes"].number(),
    )


def _comparison(item: _Item) -> ComparisonFact:
    return ComparisonFact(
        item["output"].text(), item["sizes"].text(), item["difference"].real(), item["problem"].text()
    )


def _file(item: _Item) -> FileFact:
    return FileFact(item["name"].text(), item["nbytes"].number())
