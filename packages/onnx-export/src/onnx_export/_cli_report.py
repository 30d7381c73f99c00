"""``onnx-export report LOG.sarif``: what a log says, as text."""

from __future__ import annotations

import click

from onnx_diagnostics import SarifError, read_sarif, render_text

__all__ = ["report"]


@click.command("report", epilog="Example: onnx-export report model.sarif")
@click.argument("log", metavar="LOG.sarif", type=click.Path(exists=True, dir_okay=False))
def report(log: str) -> None:
    """Show the findings of a SARIF log, such as one that export --sarif wrote, with all their places."""
    try:
        runs = read_sarif(log)
    except (OSError, SarifError) as error:
        raise click.ClickException(str(error)) from error
    for run in runs:
        outcome = "succeeded" if run.successful else "failed"
        click.echo(f"{run.tool.name} {run.tool.version} {outcome}, {len(run.diagnostics)} findings")
        click.echo(render_text(run.diagnostics, max_places=None), nl=bool(run.diagnostics))
