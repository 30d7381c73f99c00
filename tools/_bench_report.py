"""Figures of ``tools/bench.py``: what is worked out of the measurements, the budgets, and the table."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

__all__ = ["BUDGETS", "IMPORT_BUDGETS", "Budget", "Measured", "figures", "medians", "show"]

Measured = Mapping[str, Mapping[str, float]]
"""Medians by task and name; a task that failed is missing."""

_SPREAD = "write_spread"

_CONVERSION = ("passes", "lowering", "finish", "check")
_STAGES = ("capture", *_CONVERSION, "save")


@dataclass(frozen=True)
class Budget:
    """The limit that a figure is held against; ``at_least`` for those that should be large.

    ``small`` is the limit for ResNet-50, whose export takes a second, where it is another.
    """

    limit: float
    at_least: bool = False
    small: float | None = None

    def of(self, model: str) -> Budget:
        """The budget that ``model`` has."""
        return Budget(self.small, self.at_least) if self.small is not None and model == "resnet50" else self

    def __str__(self) -> str:
        return f"{'≥' if self.at_least else '≤'} {self.limit:g}"

    def holds(self, value: float) -> bool:
        """Whether ``value`` is within the budget."""
        return value >= self.limit if self.at_least else value <= self.limit


_COMMON = {
    "memory / weights": Budget(0.1),
    "latency ours / torch": Budget(1.05),
    "difference to eager": Budget(1e-4),
}

BUDGETS: Mapping[str, Mapping[str, Budget]] = {
    "torch.export": {
        "conversion / capture": Budget(0.5),
        "export / (capture + write)": Budget(1.5),
        "torch / ours": Budget(3.0, at_least=True),
        **_COMMON,
    },
    "torchscript": {"torch / ours": Budget(2.0, at_least=True, small=1.0), **_COMMON},
}
"""By route and figure."""

IMPORT_BUDGETS: Mapping[str, Budget] = {
    "onnx_diagnostics": Budget(30),
    "onnx_symbolics beyond onnx_ir": Budget(100),
    "onnx_export beyond torch": Budget(150),
}
"""In milliseconds."""


@dataclass(frozen=True)
class _Figure:
    """A row of the table: where its value comes from, and how it is written."""

    name: str
    value: Callable[[Measured], float]
    text: Callable[[float], str]


def _seconds(value: float) -> str:
    return f"{value:.2f} s"


def _milliseconds(value: float) -> str:
    return f"{value * 1e3:.1f} ms"


def _megabytes(value: float) -> str:
    return f"{value / 1e6:.1f} MB"


def _ratio(value: float) -> str:
    return f"{value:.2f}"


def _small(value: float) -> str:
    return f"{value:.1e}"


def _count(value: float) -> str:
    return f"{value:.0f}"


def _of(task: str, name: str) -> Callable[[Measured], float]:
    return lambda measured: measured[task][name]


_FIGURES: Sequence[_Figure] = (
    _Figure("export", _of("ours", "seconds"), _seconds),
    *(_Figure(f"  {stage}", _of("stages", stage), _seconds) for stage in _STAGES),
    _Figure("capture alone", _of("capture", "seconds"), _seconds),
    _Figure("raw write of the weights", _of("capture", "write"), _seconds),
    _Figure("  slowest / fastest", _of("capture", _SPREAD), _ratio),
    _Figure(
        "conversion / capture",
        lambda m: sum(m["stages"][stage] for stage in _CONVERSION) / m["stages"]["capture"],
        _ratio,
    ),
    _Figure(
        "export / (capture + write)",
        lambda m: m["ours"]["seconds"] / (m["capture"]["seconds"] + m["capture"]["write"]),
        _ratio,
    ),
    _Figure("torch.onnx.export", _of("torch", "seconds"), _seconds),
    _Figure("torch / ours", lambda m: m["torch"]["seconds"] / m["ours"]["seconds"], _ratio),
    _Figure("weights", _of("capture", "weights"), _megabytes),
    _Figure("memory above the model", _of("ours_memory", "peak"), _megabytes),
    _Figure("  of capture alone", _of("capture_memory", "peak"), _megabytes),
    _Figure("  of torch.onnx.export", _of("torch_memory", "peak"), _megabytes),
    _Figure("  ours with first-use code", _of("ours", "peak"), _megabytes),
    _Figure("memory / weights", lambda m: m["ours_memory"]["peak"] / m["capture"]["weights"], _ratio),
    _Figure("nodes", _of("ours", "nodes"), _count),
    _Figure("nodes of torch", _of("torch", "nodes"), _count),
    _Figure("size", _of("ours", "bytes"), _megabytes),
    _Figure("size of torch", _of("torch", "bytes"), _megabytes),
    _Figure("latency", _of("run", "ours_latency"), _milliseconds),
    _Figure("latency of torch", _of("run", "torch_latency"), _milliseconds),
    _Figure("latency ours / torch", lambda m: m["run"]["ours_latency"] / m["run"]["torch_latency"], _ratio),
    _Figure("difference to eager", _of("run", "ours_difference"), _small),
    _Figure("difference of torch", _of("run", "torch_difference"), _small),
)


def medians(runs: Mapping[str, Sequence[Mapping[str, float]]]) -> dict[str, dict[str, float]]:
    """Medians over the runs of each task, and how far the disk's speed varied meanwhile."""
    result = {
        task: {name: statistics.median(run[name] for run in series) for name in series[0]}
        for task, series in runs.items()
    }
    if "capture" in runs:
        writes = [run["write"] for run in runs["capture"]]
        result["capture"][_SPREAD] = max(writes) / min(writes)
    return result


def figures(measured: Measured) -> dict[str, float]:
    """Every figure by its name; those whose measurements are missing are left out."""
    return {figure.name.strip(): value for figure, value in _known(measured)}


def _known(measured: Measured) -> Iterator[tuple[_Figure, float]]:
    for figure in _FIGURES:
        try:
            yield figure, figure.value(measured)
        except KeyError:  # its task failed, which the report says in its own place
            continue


def show(
    console: Console,
    route: str,
    models: Mapping[str, Measured],
    imports: Mapping[str, float],
    errors: Mapping[str, Mapping[str, str]],
) -> None:
    """Print the figures with a column per model, the import times, and what failed."""
    table = Table(box=SIMPLE_HEAD)
    table.add_column("")
    for name in models:
        table.add_column(name, justify="right")
    table.add_column("budget")
    cells = [dict(_known(measured)) for measured in models.values()]
    for figure in _FIGURES:
        budget = BUDGETS[route].get(figure.name)
        pairs = zip(models, cells, strict=True)
        row = [_cell(figure, known.get(figure), budget and budget.of(name)) for name, known in pairs]
        table.add_row(figure.name, *row, str(budget or ""))
    console.print(table)
    for name, seconds in imports.items():
        budget = IMPORT_BUDGETS[name]
        console.print(f"import {name}: {seconds * 1e3:.0f} ms, {budget} {_mark(budget, seconds * 1e3)}")
    for name, failed in errors.items():
        for task, text in failed.items():
            console.print(f"{name}, {task}: {text}", style="red", markup=False)


def _cell(figure: _Figure, value: float | None, budget: Budget | None) -> str:
    if value is None:
        return "-"
    text = figure.text(value)
    return f"{text} {_mark(budget, value)}" if budget else text


def _mark(budget: Budget, value: float) -> str:
    return "[green]ok[/green]" if budget.holds(value) else "[red]OVER[/red]"
