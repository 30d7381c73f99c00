"""Print the files of an operator: its translations, its cases, its tests.

usage: python tools/where.py aten::gelu [aten::add.Tensor ...]

A name without an overload finds all of them. Exit code 1 when an operator stands nowhere.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PLACES = (
    ("translator", "packages/onnx-torchlib/src/onnx_torchlib/ops"),
    ("symbolic", "packages/onnx-symbolics/src/onnx_symbolics/ops"),
    ("case", "tests/opcases"),
)


def main(arguments: list[str] | None = None) -> int:
    """Run the tool; the exit code says whether every operator was found."""
    parser = argparse.ArgumentParser(description="Print the files of an operator.")
    parser.add_argument("ops", nargs="+", metavar="OP", help="such as aten::gelu, or gelu for aten's")
    missing = False
    for op in parser.parse_args(arguments).ops:
        found = list(places(op))
        missing = missing or not found
        print(f"{op}:" if found else f"{op}: nowhere")
        for kind, path, line in found:
            print(f"  {kind:<10} {path.relative_to(ROOT)}:{line}")
    return int(missing)


def places(op: str) -> Iterator[tuple[str, Path, int]]:
    """Kind, file and 1-based line of everything that names the operator."""
    domain, _, name = op.rpartition("::")
    overload = "" if "." in name else r"(\.\w+)?"
    registered = re.compile(rf'"{re.escape(domain or "aten")}::{re.escape(name)}{overload}"')
    # A case of aten's leaves the domain out.
    prefix = "(aten::)?" if domain in ("", "aten") else f"{re.escape(domain)}::"
    case = re.compile(rf'"{prefix}{re.escape(name)}{overload}( [^"]*)?"')
    for kind, folder in PLACES:
        pattern = case if kind == "case" else registered
        for path in sorted((ROOT / folder).glob("*.py")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
                if pattern.search(line):
                    yield kind, path, number


if __name__ == "__main__":
    sys.exit(main())
