"""The operators of PyTorch's own tests through the exporter, compared with eager PyTorch in ONNX Runtime.

A report, not a check: the exit code is 0 whatever it finds. It takes some ten minutes; the package
``expecttest`` has to be installed beside the others.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from _conformance_run import Finding, Settings, Verdict, judge
from _conformance_samples import entries

_LINE = 160


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the sweep and print what it found."""
    options = _parser().parse_args(arguments)
    settings = Settings(
        opset=options.opset,
        dynamo=options.route == "export",
        dynamic=options.dynamic,
        most=options.samples,
        seconds=options.seconds,
    )
    operators = entries(options.operators)
    findings = [finding for found in _sweep(operators, settings, options.jobs) for finding in found]
    for line in report(findings):
        print(line)
    if options.json is not None:
        rows = [{**vars(finding), "verdict": finding.verdict.value} for finding in findings]
        options.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return 0


def report(findings: Sequence[Finding]) -> Iterator[str]:
    """Lines for people: operators by their worst sample, with the first line of what it came to."""
    worst: dict[str, Finding] = {}
    order = list(Verdict)
    for finding in findings:
        known = worst.get(finding.operator)
        if known is None or order.index(finding.verdict) > order.index(known.verdict):
            worst[finding.operator] = finding
    passed = {finding.operator for finding in findings if finding.verdict is Verdict.OK}
    for verdict in order[2:]:
        for name in sorted(name for name, finding in worst.items() if finding.verdict is verdict):
            part = " (others pass)" if name in passed else ""
            words = " ".join(worst[name].text.split())
            yield f"{verdict.value:9} {name}{part}: {words}"[:_LINE]
    counts = Counter(finding.verdict for finding in worst.values())
    partly = sum(name in passed for name, finding in worst.items() if finding.verdict not in order[:2])
    yield f"{len(worst)} operators: " + ", ".join(f"{counts[verdict]} {verdict.value}" for verdict in order)
    yield f"{partly} of those that are not ok pass in part"


def _sweep(operators: Sequence[str], settings: Settings, jobs: int) -> Iterator[list[Finding]]:
    """The findings of each operator. Workers are replaced: torch keeps what it has traced."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(jobs, maxtasksperchild=100) as pool:
        waiting = [pool.apply_async(judge, (operator, settings)) for operator in operators]
        for result in waiting:
            yield result.get()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("operators", nargs="?", default="", help="only operators with this in their name")
    parser.add_argument("--route", choices=("export", "trace"), default="export")
    parser.add_argument("--opset", type=int, default=20)
    parser.add_argument("--dynamic", action="store_true", help="every dimension may vary")
    parser.add_argument("--samples", type=int, default=5, help="at most so many of an operator")
    parser.add_argument("--seconds", type=int, default=60, help="at most so long for a sample")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--json", type=Path, help="write every finding into this file")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
