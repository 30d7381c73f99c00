"""What onnx_diagnostics costs a program that has nothing to report, and one that has."""

from __future__ import annotations

import statistics
import timeit
from collections.abc import Callable, Mapping

from onnx_diagnostics import DiagnosticContext, Level, Location, Rule, iter_sarif

__all__ = ["diagnostics_costs"]

_REPEATS = 5
_RULE = Rule("BEN001", "bench", Level.NOTE, "{name} was found")


def diagnostics_costs(calls: int = 20_000) -> Mapping[str, float]:
    """Median seconds of each step of a program that reports through a context.

    Args:
        calls: how often a step is taken in each of the runs that the median is of.
    """
    context = DiagnosticContext("bench", "1")
    place = Location.at("model.py", 1, module="layer.0")

    def scope() -> None:
        with context.at(lambda: place):
            pass

    def entered() -> None:
        with context.child():
            pass

    def written() -> None:
        for _ in iter_sarif(filled):
            pass

    costs = {
        "a location, nothing reported": _seconds(scope, calls),
        "a stage, nothing reported": _seconds(entered, calls),
        "a finding": _seconds(lambda: context.child().report(_RULE, location=place, name="x"), calls),
    }
    filled = DiagnosticContext("bench", "1")
    for _ in range(calls):
        filled.report(_RULE, location=place, name="x")
    return {**costs, "a result in the log": timeit.timeit(written, number=1) / calls}


def _seconds(step: Callable[[], object], calls: int) -> float:
    return statistics.median(timeit.repeat(step, number=calls, repeat=_REPEATS)) / calls
