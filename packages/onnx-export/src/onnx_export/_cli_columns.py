"""Tables of the command line."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click
from rich import box
from rich.console import Console
from rich.table import Table

__all__ = ["echo_columns"]


def echo_columns(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under titles; on a terminal as a table, else as columns that other programs can cut."""
    if sys.stdout.isatty():
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for title in titles:
            table.add_column(title, overflow="fold")
        for row in rows:
            table.add_row(*row)
        Console(highlight=False, markup=False).print(table)
        return
    lines = [titles, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(titles))]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        click.echo("  ".join(cells).rstrip())
