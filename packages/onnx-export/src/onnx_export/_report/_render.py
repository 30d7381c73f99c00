"""Reports as Markdown and as HTML, by templates."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

import jinja2

from onnx_diagnostics import Run, printable
from onnx_export._report._view import is_secondhand, untranslated, view_of
from onnx_export._report._words import memory, number, shape, sizes, tally

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
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(
        cell=markdown_cell,
        code=markdown_code,
        md=markdown_text,
        memory=memory,
        number=number,
        is_secondhand=is_secondhand,
        shape=shape,
        sizes=sizes,
        tally=tally,
        untranslated=untranslated,
    )
    return environment


def _visible(value: object) -> object:
    """No control character of a name or message reaches a report."""
    return printable(value) if type(value) is str else value


# What Markdown or the HTML in it would take for markup; an underscore inside of a word is none.
_MARKUP = re.compile(r"[\\`*\[\]<>~|&#]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_ENTITIES = {"|": "&#124;", "<": "&lt;", ">": "&gt;", "&": "&amp;"}


def markdown_text(text: str) -> str:
    """A text on one line of Markdown, or in a cell of a table, that shows as it is."""
    line = " ".join(printable(text).split())
    return _MARKUP.sub(lambda found: _ENTITIES.get(found[0], "\\" + found[0]), line)


def markdown_code(text: str) -> str:
    """A name or a line of a program as code."""
    line = " ".join(printable(text).split())
    if not line:
        return ""
    longest = max((len(run) for run in re.findall(r"`+", line)), default=0)
    fence = "`" * (longest + 1)
    space = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{space}{line}{space}{fence}"


def markdown_cell(text: str) -> str:
    """A name as code in a table, where a bar would end the cell, even in code."""
    return markdown_text(text) if "|" in text else markdown_code(text)
