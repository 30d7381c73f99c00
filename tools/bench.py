"""Whole exports beside ``torch.onnx.export``: time, memory, file and latency, in alternation in one run.

Every measurement runs in a process of its own, with default arguments of both exporters, the imports done.
Models come from transformers with random weights, dynamic batch and sequence, no cache. A report: budgets are
marked ok or OVER, and the exit code is 0 all the same. One repeat on a busy machine means little.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from _bench_diagnostics import diagnostics_costs
from _bench_models import BENCH_MODELS, ON_REQUEST
from _bench_report import BUDGETS, figures, medians, show
from rich.console import Console

Series = defaultdict[str, list[dict[str, float]]]

_WORKER = Path(__file__).with_name("_bench_worker.py")
_EXPORTS = ("ours", "torch", "stages", "capture")
_ONCE = ("ours_memory", "torch_memory", "capture_memory")  # it hardly differs from run to run
_IMPORTS = {
    "onnx_diagnostics": ("sys", "onnx_diagnostics"),
    "onnx_symbolics beyond onnx_ir": ("onnx_ir", "onnx_symbolics"),
    "onnx_export beyond torch": ("torch", "onnx_export"),
}
_IMPORT_REPEATS = 5
_EXCEPTION = re.compile(r"[A-Za-z_][\w.]*(Error|Exception|Interrupt)\b")
_ERROR_LINES = 6
_WIDTH_OF_FILES = 140


class TaskFailed(Exception):
    """A measurement's process ended with an error; the text is the error's."""


def run_task(route: str, task: str, model: str, small: bool, *paths: Path) -> dict[str, float]:
    """The numbers of one measurement.

    Raises:
        TaskFailed: It could not be made.
    """
    command = [sys.executable, str(_WORKER), route, task, model, "1" if small else "0", *map(str, paths)]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise TaskFailed(error_text(done.stderr) or f"exit code {done.returncode}")
    numbers: dict[str, float] = json.loads(done.stdout)
    return numbers


def error_text(stderr: str) -> str:
    """The exception that ended a process, without its traceback and cut to a few lines."""
    lines = stderr.rstrip().splitlines()
    starts = [place for place, line in enumerate(lines) if _EXCEPTION.match(line)]
    return "\n".join(lines[starts[-1] :][:_ERROR_LINES]) if starts else "".join(lines[-1:])


def measure(
    route: str, model: str, small: bool, repeat: int, folder: Path, console: Console
) -> tuple[Series, dict[str, str]]:
    """The numbers of every run by task, and the error of each task that failed."""
    files = {task: folder / f"{task}.onnx" for task in (*_EXPORTS, *_ONCE)}
    series: Series = defaultdict(list)
    errors: dict[str, str] = {}
    for number in range(repeat):
        turn = number % len(_EXPORTS)
        # Each goes first once: a disk takes what follows a pause faster than what follows other writes.
        for task in (*_EXPORTS[turn:], *_EXPORTS[:turn]):
            console.print(f"[dim]{model}: {task} ({number + 1} of {repeat})[/dim]")
            _note(series, errors, route, task, model, small, files[task])
    for task in _ONCE:
        console.print(f"[dim]{model}: {task}[/dim]")
        _note(series, errors, route, task, model, small, files[task])
    console.print(f"[dim]{model}: ONNX Runtime[/dim]")
    _note(series, errors, route, "run", model, small, files["ours"], files["torch"])
    return series, errors


def _note(
    series: Series,
    errors: dict[str, str],
    route: str,
    task: str,
    model: str,
    small: bool,
    *paths: Path,
) -> None:
    try:
        numbers = run_task(route, task, model, small, *paths)
        series[task].append(numbers)
    except TaskFailed as failure:
        errors[task] = str(failure)


def import_seconds(before: str, module: str) -> float:
    """Median seconds that importing ``module`` takes once ``before`` is there."""
    code = f"import time, {before}; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    command = [sys.executable, "-c", code]
    runs = [
        subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
        for _ in range(_IMPORT_REPEATS)
    ]
    return statistics.median(map(float, runs))


def write_json(
    path: Path,
    models: Mapping[str, Series],
    imports: Mapping[str, float],
    errors: Mapping[str, Mapping[str, str]],
    costs: Mapping[str, float],
) -> None:
    """Write measurements and figures, in seconds and bytes."""
    content = {
        "machine": {
            "cpus": os.cpu_count(),
            "platform": platform.platform(),
            "python": platform.python_version(),
        },
        "models": {
            name: {
                "runs": series,
                "measured": medians(series),
                "figures": figures(medians(series)),
                "errors": errors[name],
            }
            for name, series in models.items()
        },
        "imports": imports,
        "diagnostics": costs,
    }
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and reports; always 0."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--models", nargs="+", choices=(*BENCH_MODELS, *ON_REQUEST), default=list(BENCH_MODELS)
    )
    parser.add_argument(
        "--route",
        choices=tuple(BUDGETS),
        default="torch.export",
        help="torchscript is dynamo=False for both exporters (%(default)s)",
    )
    parser.add_argument("--llama", action="store_true", help="a 1-billion-parameter Llama as well")
    parser.add_argument(
        "--small", action="store_true", help="shrunken models: a look at the tool, not at the figures"
    )
    parser.add_argument(
        "--repeat", type=int, default=3, metavar="N", help="exports of each kind (%(default)s)"
    )
    parser.add_argument(
        "--no-imports", action="store_true", help="leave the times of imports and diagnostics out"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything to FILE as well")
    options = parser.parse_args(arguments)
    console, progress = Console(highlight=False), Console(stderr=True, highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=_WIDTH_OF_FILES)
    names = dict.fromkeys([*options.models, *(ON_REQUEST if options.llama else ())])
    runs: dict[str, Series] = {}
    errors: dict[str, Mapping[str, str]] = {}
    for name in names:
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            runs[name], errors[name] = measure(
                options.route, name, options.small, options.repeat, Path(folder), progress
            )
    imports = {} if options.no_imports else {name: import_seconds(*pair) for name, pair in _IMPORTS.items()}
    show(console, options.route, {name: medians(series) for name, series in runs.items()}, imports, errors)
    costs = {} if options.no_imports else diagnostics_costs()
    for name, seconds in costs.items():
        console.print(f"onnx_diagnostics, {name}: {seconds * 1e6:.1f} µs")
    if options.json is not None:
        write_json(options.json, runs, imports, errors, costs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
