"""Every op case through every table that holds its operator."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import opcases
import pytest
from opcases._case import OpCase
from opcases._run import Captured, capture, check_case, tables_of


def rooms() -> dict[str, list[OpCase]]:
    found = {}
    for module in pkgutil.iter_modules(opcases.__path__):
        if not module.name.startswith("_"):
            rows: list[OpCase] = importlib.import_module(f"opcases.{module.name}").CASES
            found[module.name] = [case for row in rows for case in row.variants()]
    return found


ROOMS = rooms()


def parameters() -> Iterator[object]:
    for room, cases in ROOMS.items():
        for index, case in enumerate(cases):
            for table in tables_of(case):
                marks = [] if case.xfail_reason is None else [pytest.mark.xfail(reason=case.xfail_reason)]
                name = f"{room}-{case.name}-{table}".replace(" ", "_")
                yield pytest.param(room, index, table, id=name, marks=marks)


@functools.lru_cache(maxsize=2)
def captured(room: str, index: int) -> Captured:
    """A case's program; the tables of one case follow each other."""
    return capture(ROOMS[room][index])


@pytest.mark.parametrize(("room", "index", "table"), list(parameters()))
def test_op_case(room: str, index: int, table: str) -> None:
    check_case(ROOMS[room][index], captured(room, index), table)


@pytest.mark.parametrize("room", ROOMS)
def test_rows_have_unique_names_and_a_table(room: str) -> None:
    names = [case.name for case in ROOMS[room]]
    assert len(names) == len(set(names)), sorted(name for name in names if names.count(name) > 1)
    assert [case.name for case in ROOMS[room] if not tables_of(case)] == [], "no table holds the overload"


def test_rooms_of_cases_are_rooms_of_a_library() -> None:
    libraries = Path(__file__).parent.parent.glob("packages/onnx-*/src/onnx_*/ops/*.py")
    assert set(ROOMS) <= {path.stem for path in libraries}
