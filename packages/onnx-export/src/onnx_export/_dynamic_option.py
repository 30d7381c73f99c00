"""The command line's ``--dynamic``: dimensions that may vary, as text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import click
import torch

__all__ = ["dynamic_shapes", "parse_dynamic"]

_EXAMPLE = "input_ids:0=batch,1=sequence[2:64]"
_AXIS = re.compile(r"(?P<axis>-?\d+)(?:=(?P<name>[^\W\d]\w*)(?:\[(?P<min>\d*):(?P<max>\d*)\])?)?")


def parse_dynamic(text: str) -> tuple[str, dict[int, str]]:
    """Read ``input_ids:0=batch,1=sequence[2:64]`` or ``input_ids:0,1``.

    Returns:
        The input's name, and for each axis the name of the dimension, with its bounds if it has some; empty
        for one without a name.

    Raises:
        click.BadParameter: the text has another form.
    """
    name, separator, axes = text.partition(":")
    parts = [_AXIS.fullmatch(part) for part in axes.split(",")]
    found = {int(part["axis"]): part[0].partition("=")[2] for part in parts if part is not None}
    if not separator or not name or len(found) < len(parts):
        raise click.BadParameter(f"{text!r} must look like {_EXAMPLE}", param_hint="--dynamic")
    return name, found


def dynamic_shapes(texts: Sequence[str]) -> dict[str, dict[int, object]] | None:
    """What all ``--dynamic`` say together, as ``export()`` takes it; None if there are none.

    Raises:
        click.BadParameter: one has another form, an axis is named twice, or a name has two bounds.
    """
    named: dict[str, dict[int, str]] = {}
    for name, axes in map(parse_dynamic, texts):
        twice = sorted(axes.keys() & named.get(name, {}).keys())
        if twice:
            raise click.BadParameter(f"axis {twice[0]} of {name} is named twice", param_hint="--dynamic")
        named.setdefault(name, {}).update(axes)
    bounded = _bounded(text for axes in named.values() for text in axes.values())
    shapes = {
        name: {axis: _dimension(text, bounded) for axis, text in axes.items()} for name, axes in named.items()
    }
    return shapes or None


def _bounded(texts: Iterator[str]) -> dict[str, object]:
    """The dimensions that have bounds somewhere, by name: one object for all places."""
    found: dict[str, str] = {}
    for text in texts:
        name, bracket, bounds = text.partition("[")
        if bracket and found.setdefault(name, bounds) != bounds:
            raise click.BadParameter(f"{name} has two different bounds", param_hint="--dynamic")
    return {name: _dim(name, bounds.rstrip("]")) for name, bounds in found.items()}


def _dim(name: str, bounds: str) -> object:
    least, _, most = bounds.partition(":")
    try:
        return torch.export.Dim(name, min=int(least or 0), max=int(most) if most else None)
    except Exception as error:  # torch has no class of its own for bounds that contradict each other
        raise click.BadParameter(f"{name}[{bounds}]: {error}", param_hint="--dynamic") from error


def _dimension(text: str, bounded: Mapping[str, object]) -> object:
    name = text.partition("[")[0]
    return bounded.get(name, name) if name else torch.export.Dim.DYNAMIC
