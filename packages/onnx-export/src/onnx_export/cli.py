"""The command line: ``onnx-export export MODULE:FACTORY OUT.onnx``, or a saved program as the source."""

from __future__ import annotations

import contextlib
import os
import warnings
from collections.abc import Sequence
from pathlib import Path

import click

from onnx_diagnostics import DiagnosticContext, DiagnosticError, Level, render_text
from onnx_export.__about__ import __version__
from onnx_export._artifacts import sarif_log
from onnx_export._cli_explain import explain
from onnx_export._cli_ops import ops
from onnx_export._cli_report import report
from onnx_export._cli_source import load_source
from onnx_export._cli_verify import verify
from onnx_export._dynamic_option import dynamic_shapes, parse_dynamic
from onnx_export._export import export
from onnx_export._report import Recorder
from onnx_export._staging import try_folder

__all__ = ["main", "parse_dynamic"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="onnx-export")
def main() -> None:
    """Export PyTorch models to ONNX."""


@main.command(
    "export", epilog="Example: onnx-export export my_model.py:build model.onnx --dynamic x:0=batch --verify"
)
@click.argument("source", metavar="MODULE:FACTORY|PROGRAM.pt2|ARCHIVE.pt")
@click.argument("output", metavar="OUT.onnx", type=click.Path(dir_okay=False))
@click.option(
    "--input",
    "inputs",
    multiple=True,
    metavar="[NAME=]SHAPE:DTYPE|NUMBER",
    help="An example input of an archive, such as 1x3x224x224:float32, :int64 for a tensor without "
    "dimensions, or 16000 for a number. Repeat it for each input, in order.",
)
@click.option("--opset", type=int, default=None, help="Opset of the file; 20 by default.")
@click.option(
    "--dynamic",
    "dynamic",
    multiple=True,
    metavar="INPUT:AXIS=NAME,...",
    help="Dimensions that may vary, such as input_ids:0=batch,1=sequence. A name may have bounds, as in "
    "0=batch[2:64], or be left out, as in 0,1. Repeat it for each input.",
)
@click.option("--input-names", metavar="NAME,...", default="", help="Names of the file's inputs, in order.")
@click.option("--output-names", metavar="NAME,...", default="", help="Names of the file's outputs, in order.")
@click.option(
    "--keep-state", is_flag=True, help="Make what the model changes inputs and outputs of the file."
)
@click.option("--decompose", is_flag=True, help="Take the whole program apart into core ATen first.")
@click.option("--torch-lib/--no-torch-lib", default=True, help="Use onnxscript's torch_lib as last resort.")
@click.option(
    "--external-data/--one-file", default=True, help="Put the weights beside the model, or into it."
)
@click.option("--modules-as-functions", is_flag=True, help="Make the model's modules functions of the file.")
@click.option("--verify/--no-verify", default=False, help="Compare with PyTorch in ONNX Runtime.")
@click.option("--sarif", type=click.Path(dir_okay=False), default=None, help="Write the log here.")
@click.option(
    "--report",
    "report_folder",
    type=click.Path(file_okay=False),
    default=None,
    help="Write the log and what it says, as Markdown and HTML, to this folder.",
)
@click.option("--quiet", is_flag=True, help="Say nothing unless it fails.")
def _export_command(
    source: str,
    output: str,
    inputs: Sequence[str],
    opset: int | None,
    dynamic: Sequence[str],
    input_names: str,
    output_names: str,
    keep_state: bool,
    decompose: bool,
    torch_lib: bool,
    external_data: bool,
    modules_as_functions: bool,
    verify: bool,
    sarif: str | None,
    report_folder: str | None,
    quiet: bool,
) -> None:
    """Export what FACTORY returns, (model, args) or (model, args, kwargs), or a program of torch.export.

    MODULE is a module's name or the path of a Python file; args and kwargs are example inputs. PROGRAM.pt2 is
    what torch.export.save wrote, ARCHIVE.pt what torch.jit.save wrote.
    """
    _check_log_path(sarif, output)
    _check_dynamic(source, dynamic)
    model, args, kwargs = load_source(source, inputs)
    shapes = dynamic_shapes(dynamic)
    diagnostics = DiagnosticContext("onnx-export", __version__)
    recorder = Recorder() if sarif or report_folder else None
    try:
        with (
            recorder or contextlib.nullcontext(),
            sarif_log(diagnostics, sarif, recorder),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore", UserWarning)  # they are findings, which are shown below
            export(
                model,
                args,
                output,
                kwargs=kwargs,
                verbose=False if quiet else None,
                opset_version=opset,
                input_names=input_names.split(",") if input_names else None,
                output_names=output_names.split(",") if output_names else None,
                dynamic_shapes=shapes,
                keep_state=keep_state,
                decompose=decompose,
                use_torch_lib=torch_lib,
                external_data=external_data,
                export_modules_as_functions=modules_as_functions,
                verify=verify,
                report=report_folder is not None,
                artifacts_dir=report_folder or ".",
                diagnostics=diagnostics,
            )
    except (DiagnosticError, ImportError, NotImplementedError, OSError, TypeError, ValueError) as error:
        notes: Sequence[str] = getattr(error, "__notes__", ())
        raise click.ClickException("\n".join([str(error), *notes])) from error
    if not quiet:
        found = [finding for finding in diagnostics if finding.level is Level.WARNING]
        click.echo(render_text(found), err=True, nl=bool(found))
        click.echo(f"wrote {output}{_sizes(output)}")
        if recorder is not None and recorder.report_path is not None:
            click.echo(f"wrote {recorder.report_path}")


def _check_log_path(sarif: str | None, output: str) -> None:
    """Find out before any work whether the log can be written, and that it is not the model's own file."""
    if sarif is None:
        return
    if os.path.abspath(sarif) in (os.path.abspath(output), os.path.abspath(f"{output}.data")):
        raise click.BadParameter(f"{sarif} is where the model goes; give another file", param_hint="--sarif")
    folder = os.path.dirname(os.path.abspath(sarif))
    if not os.path.isdir(folder):
        raise click.BadParameter(f"there is no folder {folder}", param_hint="--sarif")
    try:
        try_folder(Path(folder))
    except OSError as error:
        raise click.BadParameter(
            f"{sarif} cannot be written: {error.strerror}", param_hint="--sarif"
        ) from error
    if os.path.exists(sarif) and not os.access(sarif, os.W_OK):
        raise click.BadParameter(f"{sarif} is read-only", param_hint="--sarif")


def _sizes(output: str) -> str:
    names = [name for name in (output, f"{output}.data") if os.path.exists(name)]
    return f" ({sum(map(os.path.getsize, names)) / 1e6:.1f} MB in {len(names)} files)"


def _check_dynamic(source: str, dynamic: Sequence[str]) -> None:
    if dynamic and source.endswith(".pt2"):
        raise click.BadParameter(
            "the dimensions of a .pt2 were decided when it was made", param_hint="--dynamic"
        )


main.add_command(explain)
main.add_command(report)
main.add_command(ops)
main.add_command(verify)

if __name__ == "__main__":
    main()
