"""Counts the ways around the type checker and the linter in the packages' sources; the record may only fall.

Counted, per package and file: uses of ``typing.Any``, calls of ``typing.cast``, ``type: ignore`` comments
(and ``mypy:`` ones, which loosen a whole file) and ``noqa`` comments. The record is ``tools/ratchet.json``.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "tools" / "ratchet.json"
KINDS = ("Any", "cast", "type: ignore", "noqa")

_TYPING = ("typing", "typing_extensions")
_COMMENTS = {
    "type: ignore": re.compile(r"#\s*(type:\s*ignore|mypy:)"),
    "noqa": re.compile(r"#\s*(ruff:\s*|flake8:\s*)?noqa", re.IGNORECASE),
}

FileCounts = Mapping[str, Mapping[str, int]]
"""Counts by kind, by file (relative to the root); files and kinds with none are left out."""


class _TypingUses(ast.NodeVisitor):
    """Uses of ``Any`` and ``cast`` under whatever name the module imports them, in quoted annotations too."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._modules: set[str] = set()
        self._names: dict[str, str] = {}

    def visit_Import(self, node: ast.Import) -> None:
        self._modules.update(alias.asname or alias.name for alias in node.names if alias.name in _TYPING)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.module not in _TYPING:
            return
        wanted = (alias for alias in node.names if alias.name in ("Any", "cast"))
        self._names.update({alias.asname or alias.name: alias.name for alias in wanted})

    def visit_Name(self, node: ast.Name) -> None:
        self._count(self._names.get(node.id))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.value, ast.Name) and node.value.id in self._modules:
            self._count(node.attr)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if not isinstance(node.value, str) or not any(name in node.value for name in ("Any", *self._names)):
            return
        try:
            quoted = ast.parse(node.value, mode="eval")
        except SyntaxError:
            return  # prose
        self.visit(quoted.body)

    def _count(self, name: str | None) -> None:
        if name in ("Any", "cast"):
            self.counts[name] += 1


def count_file(path: Path) -> dict[str, int]:
    """Counts by kind in one Python file, without the kinds that do not occur.

    Raises:
        SyntaxError: The file is no valid Python.
    """
    uses = _TypingUses()
    uses.visit(ast.parse(path.read_bytes(), filename=str(path)))
    counts = uses.counts
    with tokenize.open(path) as lines:
        comments = [
            token.string
            for token in tokenize.generate_tokens(lines.readline)
            if token.type == tokenize.COMMENT
        ]
    for kind, pattern in _COMMENTS.items():
        counts[kind] = sum(len(pattern.findall(comment)) for comment in comments)
    return {kind: counts[kind] for kind in KINDS if counts[kind]}


def count_packages(root: Path) -> dict[str, FileCounts]:
    """Counts of every package's sources below ``root``, by package."""
    return {
        source.parent.name: {
            path.relative_to(root).as_posix(): counts
            for path in sorted([*source.rglob("*.py"), *source.rglob("*.pyi")])
            if (counts := count_file(path))
        }
        for source in sorted(root.glob("packages/*/src"))
    }


def totals(files: FileCounts) -> Counter[str]:
    """A package's counts over all its files, by kind."""
    result: Counter[str] = Counter()
    for counts in files.values():
        result.update(counts)
    return result


def rises(now: Mapping[str, FileCounts], record: Mapping[str, FileCounts]) -> Iterator[str]:
    """One line per package and kind whose total is above the record, followed by the files to blame."""
    for package, files in now.items():
        recorded = record.get(package, {})
        before, after = totals(recorded), totals(files)
        for kind in (kind for kind in KINDS if after[kind] > before[kind]):
            yield f"{package}: {kind}: {before[kind]} -> {after[kind]}"
            for path, counts in files.items():
                old, new = recorded.get(path, {}).get(kind, 0), counts.get(kind, 0)
                if new > old:
                    yield f"    {path}: {old} -> {new}"


def main(arguments: list[str]) -> int:
    """Compares the sources to the record; 1 when a number rose, and 0 otherwise."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--update", action="store_true", help="write the record; refused when a number rises")
    parser.add_argument("--allow-rise", action="store_true", help="with --update: record a rise all the same")
    options = parser.parse_args(arguments)
    now = count_packages(ROOT)
    record: dict[str, FileCounts] = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    risen = list(rises(now, record))
    if risen and not (options.update and options.allow_rise):
        print("More ways around the checkers than tools/ratchet.json records:", *risen, sep="\n")
        print(
            "Type the code instead: a Protocol, a TypedDict, an isinstance check or a small stub mostly does."
        )
        print("Where nothing does, `hatch run ratchet --update --allow-rise`, and say why in the commit.")
        return 1
    if options.update:
        RECORD.write_text(json.dumps(now, indent=2) + "\n")
        print(f"wrote {RECORD.relative_to(ROOT)}")
    elif now != record:
        print("The numbers fell or moved: lower the record with `hatch run ratchet --update` and commit it.")
    for package, files in now.items():
        print(f"{package}:", ", ".join(f"{kind} {totals(files)[kind]}" for kind in KINDS))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
