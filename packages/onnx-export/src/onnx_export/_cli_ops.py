"""``onnx-export ops``: which operators of torch are translated."""

from __future__ import annotations

from collections.abc import Sequence

import click

from onnx_export._cli_columns import echo_columns
from onnx_export._opsets import check_opset
from onnx_export._report._words import counted

__all__ = ["ops"]

_DEFAULT_OPSET = 20


@click.command("ops", epilog="Example: onnx-export ops --opset 17 --missing fft")
@click.argument("text", default="")
@click.option(
    "--opset", type=int, default=_DEFAULT_OPSET, show_default=True, help="The opset that is asked about."
)
@click.option("--missing", is_flag=True, help="List what has no translation.")
def ops(text: str, opset: int, missing: bool) -> None:
    """List the operators of torch that the libraries translate at an opset.

    A column for each library has the opset that its translation is written for, which serves newer ones,
    too. TEXT lists operators with this text in their names alone. --missing lists those of ATen that have no
    translation, core ATen first, with what an export does instead.
    """
    try:
        check_opset(opset)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--opset") from error
    # The libraries take a while to load.
    from onnx_export._operators import missing_operators, translated_operators

    if missing:
        wanted = [row for row in missing_operators(opset) if text in row.name]
        rows = [
            (
                row.name,
                "core ATen" if row.is_core else "ATen",
                _instead(row.first_opset, row.decomposes, row.in_torch_lib),
            )
            for row in wanted
        ]
        _show(("operator", "of", "instead"), rows, f"without a translation to opset {opset}")
        return
    served = [row for row in translated_operators(opset) if text in row.name]
    _show(
        ("operator", "onnx-torchlib", "onnx-symbolics"),
        [(row.name, _since(row.torchlib), _since(row.symbolics)) for row in served],
        f"with a translation to opset {opset}",
    )


def _show(titles: Sequence[str], rows: Sequence[Sequence[str]], what: str) -> None:
    echo_columns(titles, rows)
    click.echo(f"{counted(len(rows), 'operator')} {what}", err=True)


def _since(opset: int | None) -> str:
    return "-" if opset is None else str(opset)


def _instead(first_opset: int | None, decomposes: bool, in_torch_lib: bool) -> str:
    ways = [
        "taken apart" if decomposes else "",
        "by torch_lib" if in_torch_lib else "",
        "" if first_opset is None else f"opset {first_opset} has it",
    ]
    return ", ".join(way for way in ways if way) or "-"
