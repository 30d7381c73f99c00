"""``onnx-export report LOG.sarif``: what a log says, as text, Markdown or HTML."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

import click

from onnx_diagnostics import Run, SarifError, read_sarif, render_text, write_text_atomically
from onnx_export._report import FactsError

__all__ = ["report"]

_BY_SUFFIX = {".htm": "html", ".html": "html", ".markdown": "markdown", ".md": "markdown"}


@click.command(
    "report", epilog="Example: onnx-export report model.sarif --output model.html; by default, as text."
)
@click.argument("log", metavar="LOG.sarif", type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "html"]),
    default=None,
    help="What to make of it; by default what the name of the output ends in says, else text.",
)
@click.option(
    "--output", type=click.Path(dir_okay=False), default=None, help="Write it here, not to the terminal."
)
def report(log: str, form: str | None, output: str | None) -> None:
    """Show what a SARIF log says, such as one that export --sarif or --report wrote.

    Text has the findings with all their places. Markdown and HTML have the rest of the export, too.
    """
    if output is not None and os.path.realpath(output) == os.path.realpath(log):
        raise click.BadParameter(f"{output} is the log itself; give another file", param_hint="--output")
    suffix = os.path.splitext(output or "")[1].lower()
    render = _renderer(form or _BY_SUFFIX.get(suffix, "text"))
    try:
        text = render(read_sarif(log))
        if output is not None:
            write_text_atomically(output, [text], kind="report")
    except FactsError as error:
        raise click.ClickException(f"{log}: {error}") from error
    except (OSError, SarifError) as error:
        raise click.ClickException(str(error)) from error
    if output is None:
        click.echo(text, nl=False)
    else:
        click.echo(f"wrote {output}")


def _renderer(form: str) -> Callable[[Sequence[Run]], str]:
    if form == "text":
        return _text
    # The templates' engine takes a while to load.
    from onnx_export._report._render import render_html, render_markdown

    return render_html if form == "html" else render_markdown


def _text(runs: Sequence[Run]) -> str:
    return "".join(_run_text(run) for run in runs)


def _run_text(run: Run) -> str:
    outcome = "succeeded" if run.successful else "failed"
    head = f"{run.tool.name} {run.tool.version} {outcome}, {len(run.diagnostics)} findings\n"
    found = render_text(run.diagnostics, max_places=None)
    return f"{head}{found}\n" if found else head
