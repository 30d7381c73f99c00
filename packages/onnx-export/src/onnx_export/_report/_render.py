"""Reports as Markdown and as HTML, by templates."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence

import jinja2

from onnx_diagnostics import Run, printable
from onnx_export._report._view import view_of

__all__ = ["render_html", "render_markdown"]


def render_markdown(runs: Sequence[Run]) -> str:
    """The report of the runs of a log as GitHub-flavoured Markdown.

    Raises:
        FactsError: the facts of an export in them are damaged.
    """
    text = _environment().get_template("report.md.j2").render(reports=[view_of(run) for run in runs])
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def render_html(runs: Sequence[Run]) -> str:
    """The report of the runs of a log as one HTML file that loads nothing else.

    Raises:
        FactsError: the facts of an export in them are damaged.
    """
    text = _environment().get_template("report.html.j2").render(reports=[view_of(run) for run in runs])
    return re.sub(r"\n\s*\n", "\n", text)


@functools.cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("onnx_export._report"),
        autoescape=lambda name: name is not None and ".html" in name,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(
        code=markdown_code,
        md=markdown_text,
        memory=memory,
        number=number,
        printable=printable,
        shape=shape,
        tally=tally,
    )
    return environment


# What Markdown or the HTML in it would take for markup; an underscore inside of a word is none.
_MARKUP = re.compile(r"[\\`*{}\[\]<>~|&#]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_ENTITIES = {"|": "&#124;", "<": "&lt;", ">": "&gt;", "&": "&amp;"}


def markdown_text(text: str) -> str:
    """A text on one line of Markdown, or in a cell of a table, that shows as it is."""
    line = " ".join(printable(text).split())
    return _MARKUP.sub(lambda found: _ENTITIES.get(found[0], "\\" + found[0]), line)


def markdown_code(text: str) -> str:
    """A name as code; in a table a bar would end the cell, even in code."""
    line = " ".join(printable(text).split())
    if not line or "|" in line:
        return markdown_text(line)
    longest = max((len(run) for run in re.findall(r"`+", line)), default=0)
    fence = "`" * (longest + 1)
    space = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{space}{line}{space}{fence}"


def shape(dims: Sequence[str] | None) -> str:
    """A shape as it is written in Python."""
    return "" if dims is None else f"[{', '.join(dims)}]"


_UNITS = ("B", "kB", "MB", "GB", "TB")


def memory(nbytes: int | None) -> str:
    """A number of bytes with a unit."""
    if nbytes is None:
        return ""
    size = float(nbytes)
    for unit in _UNITS:
        if size < 1000 or unit == _UNITS[-1]:
            return f"{size:.0f} {unit}" if unit == "B" or size >= 100 else f"{size:.1f} {unit}"
        size /= 1000
    return ""


def number(value: float) -> str:
    """A difference in three digits."""
    return f"{value:.3g}"


def tally(counts: Mapping[str, int]) -> str:
    """Names with how often each occurs."""
    return ", ".join(name if count == 1 else f"{name} ×{count}" for name, count in counts.items())
