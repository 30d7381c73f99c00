"""Lists files above 400 lines and functions above 45: a report of where a room is missing, not a check."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE_LINES = 400
FUNCTION_LINES = 45


def oversized(path: Path) -> Iterator[tuple[int, str]]:
    """Length and place of the file, if it is too long, and of each of its functions that is."""
    name = path.relative_to(ROOT).as_posix()
    text = path.read_text(encoding="utf-8")
    if (lines := len(text.splitlines())) > FILE_LINES:
        yield lines, name
    for node in ast.walk(ast.parse(text, filename=name)):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        lines = (node.end_lineno or node.lineno) - node.lineno + 1
        if lines > FUNCTION_LINES:
            yield lines, f"{name}:{node.lineno} {node.name}"


def main() -> int:
    """Prints the oversized files and functions, longest first."""
    paths = [*ROOT.glob("packages/*/src/**/*.py"), *ROOT.glob("packages/*/tests/**/*.py")]
    paths += [*ROOT.glob("tools/**/*.py"), *ROOT.glob("tests/**/*.py")]
    for lines, place in sorted((found for path in paths for found in oversized(path)), reverse=True):
        print(f"{lines:5} {place}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
