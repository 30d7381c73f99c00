"""Checks of the names that are asked for."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["check_names"]


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
