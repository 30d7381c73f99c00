"""What the demo shows, on a terminal or in a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from onnx_export.demo._compare import Comparison, nearest

__all__ = ["TOLERANCE", "new_console", "show_comparison", "show_files", "show_neighbours"]

TOLERANCE = 1e-5
"""Largest absolute difference of an embedding component to PyTorch's that the demo accepts."""

_WIDTH_OF_FILES = 140


def new_console() -> Console:
    """Standard output, with room for two sentences in a row where no terminal sets the width."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=_WIDTH_OF_FILES)


def show_neighbours(
    console: Console, sentences: Sequence[str], lengths: Sequence[int], comparison: Comparison
) -> None:
    """Print each sentence with its number of tokens and the sentence that the model finds nearest."""
    table = Table(box=SIMPLE_HEAD, title="Nearest sentences by the exported model", title_justify="left")
    table.add_column("tokens", justify="right")
    table.add_column("sentence", ratio=1)
    table.add_column("nearest", ratio=1)
    table.add_column("cosine", justify="right")
    found = nearest(comparison.embeddings)
    for sentence, length, (index, cosine) in zip(sentences, lengths, found, strict=True):
        table.add_row(str(length), sentence, sentences[index], f"{cosine:.2f}")
    console.print(table)


def show_comparison(console: Console, comparison: Comparison) -> bool:
    """Print the largest difference; whether it is small enough."""
    agrees = comparison.largest_difference <= TOLERANCE
    mark = "[green]ok[/green]" if agrees else "[red]TOO LARGE[/red]"
    console.print(
        f"largest difference to PyTorch over {comparison.runs} batches of different sizes: "
        f"{comparison.largest_difference:.1e}, allowed {TOLERANCE:.0e}: {mark}"
    )
    return agrees


def show_files(console: Console, files: Sequence[Path]) -> None:
    """Print the paths and sizes of the files."""
    for file in files:
        console.print(f"{file.stat().st_size / 1e3:10,.1f} kB  {file}", soft_wrap=True, markup=False)
