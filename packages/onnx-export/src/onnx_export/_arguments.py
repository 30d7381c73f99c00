"""Example inputs in the forms that torch.onnx.export takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch

__all__ = ["check_names", "normalize_arguments"]


def normalize_arguments(
    args: object, kwargs: Mapping[str, object] | None
) -> tuple[tuple[object, ...], dict[str, object]]:
    """Positional and keyword arguments.

    A bare tensor is one argument. A dict at the end of ``args`` holds keyword arguments when ``kwargs`` is
    not given, as it does for torch.onnx.

    Raises:
        TypeError: ``args`` is neither a tensor nor a sequence, or ``kwargs`` is no mapping of names.
    """
    if isinstance(args, torch.Tensor):
        positional: list[object] = [args]
    elif isinstance(args, Sequence) and not isinstance(args, str):
        positional = list(args)
    else:
        raise TypeError(f"args must be a tuple of example inputs, got {type(args).__name__}")
    keywords = dict(kwargs or {})
    if kwargs is None and positional and isinstance(last := positional[-1], dict):
        positional.pop()
        keywords = last
    if not all(isinstance(name, str) for name in keywords):
        raise TypeError(f"kwargs must map parameter names to example inputs, got the keys {list(keywords)}")
    return tuple(positional), keywords


def check_names(kind: str, names: Sequence[object] | None, count: int) -> None:
    """Check ``input_names`` or ``output_names`` against the ``count`` of inputs or outputs.

    Raises:
        ValueError: a name is there twice, empty or no string, or there are more names than values.
    """
    if names is None:
        return
    if isinstance(names, str) or not all(isinstance(name, str) and name for name in names):
        raise ValueError(f"{kind}_names must be a list of names, got {names!r}")
    twice = sorted({str(name) for name in names if list(names).count(name) > 1})
    if twice:
        raise ValueError(f"{kind}_names has {', '.join(map(repr, twice))} more than once; names must differ")
    if len(names) > count:
        raise ValueError(f"{kind}_names has {len(names)} names, but the model has {count} {kind}s")
