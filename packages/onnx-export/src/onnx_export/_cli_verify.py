"""``onnx-export verify``: does a file compute what its model computes?"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

import click
import torch

from onnx_diagnostics import DiagnosticContext, DiagnosticError
from onnx_export.__about__ import __version__
from onnx_export._artifacts import sarif_log
from onnx_export._cli_columns import echo_columns
from onnx_export._cli_source import load_source
from onnx_export._compared_runs import Comparison
from onnx_export._differences import TOLERANCES
from onnx_export._eager import reference
from onnx_export._file_program import load_model, program_of_file
from onnx_export._models import Exportable, resolved
from onnx_export._runtime import check_runtime
from onnx_export._verify import compare_program

__all__ = ["verify"]

_DTYPES = {str(dtype).partition(".")[2]: dtype for dtype in TOLERANCES}


@click.command("verify", epilog="Example: onnx-export verify my_model.py:build model.onnx --localise")
@click.argument("source", metavar="MODULE:FACTORY|PROGRAM.pt2|ARCHIVE.pt")
@click.argument("file", metavar="FILE.onnx", type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--input",
    "inputs",
    multiple=True,
    metavar="[NAME=]SHAPE:DTYPE|NUMBER",
    help="An example input of an archive, as for export.",
)
@click.option(
    "--localise",
    is_flag=True,
    help="Where they differ, find the first operator that makes a difference, with its line in the model. "
    "The file must be one of onnx-export.",
)
@click.option(
    "--tolerance",
    "tolerances",
    multiple=True,
    metavar="DTYPE=NUMBER",
    help="Largest difference, relative to the largest magnitude of an output, such as float32=1e-5.",
)
@click.option("--sarif", type=click.Path(dir_okay=False), default=None, help="Write the log here.")
@click.option("--quiet", is_flag=True, help="Say nothing unless they differ.")
def verify(
    source: str,
    file: str,
    inputs: Sequence[str],
    localise: bool,
    tolerances: Sequence[str],
    sarif: str | None,
    quiet: bool,
) -> None:
    """Compare what FILE.onnx computes in ONNX Runtime with what the model of SOURCE computes in PyTorch.

    The inputs are the example inputs, and the same at other sizes of the dimensions that have names in the
    file. The exit code is 1 where an output differs in dtype, shape or value.
    """
    allowed = {**TOLERANCES, **dict(map(_tolerance, tolerances))}
    model, args, kwargs = load_source(source, inputs)
    diagnostics = DiagnosticContext("onnx-export", __version__)
    results: list[Comparison] = []
    try:
        with sarif_log(diagnostics, sarif), warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", UserWarning
            )  # what is found in the capture was told by the export
            _compare(model, args, kwargs or {}, file, diagnostics, results, allowed, localise)
    except (DiagnosticError, ImportError, NotImplementedError, OSError, TypeError, ValueError) as error:
        if results:
            _show(results)
        raise click.ClickException(str(error)) from error
    if not quiet:
        _show(results)
        click.echo(f"{file} computes what {source} computes")


def _compare(
    model: Exportable,
    args: Sequence[object],
    kwargs: Mapping[str, object],
    file: str,
    diagnostics: DiagnosticContext,
    results: list[Comparison],
    tolerances: Mapping[torch.dtype, float],
    localise: bool,
) -> None:
    check_runtime()
    loaded = load_model(file)
    found = resolved(model, diagnostics)
    if isinstance(found, torch.export.ExportedProgram) and not args and not kwargs:
        args, kwargs = found.example_inputs or ((), {})
    program = program_of_file(loaded, found, args, kwargs, diagnostics, with_values=localise)
    with reference(found, eval_mode=True) as eager:
        compare_program(program, eager, args, kwargs, diagnostics, results, tolerances, localise=localise)


def _show(results: Sequence[Comparison]) -> None:
    rows = [
        (found.output, found.where, f"{found.largest_difference:.3g}", "no" if found.problem else "yes")
        for found in results
    ]
    echo_columns(("output", "at", "largest difference", "equal"), rows)


def _tolerance(text: str) -> tuple[torch.dtype, float]:
    name, _, number = text.partition("=")
    try:
        return _DTYPES[name], float(number)
    except (KeyError, ValueError):
        raise click.BadParameter(
            f"{text!r} must look like float32=1e-5, with one of {', '.join(_DTYPES)}",
            param_hint="--tolerance",
        ) from None
