"""The command line's ``--input``: example inputs, as text."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click
import torch

__all__ = ["example_inputs"]

_NAMED = re.compile(r"(?:(?P<name>[^\W\d]\w*)=)?(?P<what>.+)", re.DOTALL)
_TENSOR = re.compile(r"(?P<shape>|\d+(?:x\d+)*):(?P<dtype>\w+)")
_WORDS: dict[str, object] = {"true": True, "false": False, "none": None}

_DTYPES = {
    str(dtype).partition(".")[2]: dtype
    for dtype in (
        torch.float64,
        torch.float32,
        torch.float16,
        torch.bfloat16,
        torch.int64,
        torch.int32,
        torch.int16,
        torch.int8,
        torch.uint8,
        torch.bool,
        torch.complex64,
        torch.complex128,
    )
}


def example_inputs(texts: Sequence[str]) -> tuple[list[object], dict[str, object]]:
    """Read ``1x3x224x224:float32``, ``:int64``, ``16000``, ``true``, ``none`` or ``rate=16000`` each.

    Floating point tensors are random, the same each time; others hold 0 and 1 by turns, which are legal
    indices.

    Returns:
        Arguments by position and by name.

    Raises:
        click.BadParameter: a text has another form, or a name is given twice.
    """
    generator = torch.Generator().manual_seed(0)
    args: list[object] = []
    kwargs: dict[str, object] = {}
    for text in texts:
        found = _NAMED.fullmatch(text)
        if found is None:
            raise _misread(text)
        value, name = _value(text, found["what"], generator), found["name"]
        if name is None and kwargs:
            raise click.BadParameter(f"{text!r} has no name and stands behind one that has", param_hint=_HINT)
        if name in kwargs:
            raise click.BadParameter(f"{name} is given twice", param_hint=_HINT)
        if name is None:
            args.append(value)
        else:
            kwargs[name] = value
    return args, kwargs


_HINT = "--input"


def _value(text: str, what: str, generator: torch.Generator) -> object:
    tensor = _TENSOR.fullmatch(what)
    if tensor is not None:
        return _tensor(tensor["shape"], tensor["dtype"], generator)
    if what.lower() in _WORDS:
        return _WORDS[what.lower()]
    try:
        return int(what) if re.fullmatch(r"[+-]?\d+", what) else float(what)
    except ValueError:
        raise _misread(text) from None


def _tensor(shape: str, name: str, generator: torch.Generator) -> torch.Tensor:
    dtype = _DTYPES.get(name)
    if dtype is None:
        raise click.BadParameter(f"{name!r} is none of {', '.join(_DTYPES)}", param_hint=_HINT)
    sizes = [int(size) for size in shape.split("x")] if shape else []
    if dtype.is_floating_point or dtype.is_complex:
        return torch.rand(sizes, generator=generator, dtype=torch.float64).to(dtype)
    return (torch.arange(torch.Size(sizes).numel()) % 2).reshape(sizes).to(dtype)


def _misread(text: str) -> click.BadParameter:
    return click.BadParameter(
        f"{text!r} must look like 1x3x224x224:float32, :int64 (a tensor without dimensions) or 16000 (a "
        "number)",
        param_hint=_HINT,
    )
