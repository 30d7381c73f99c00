"""Names that no two values of a program share."""

from __future__ import annotations

from collections.abc import Collection

__all__ = ["free_name", "take_name"]


def free_name(stem: str, taken: Collection[str]) -> str:
    """``stem``, or the first ``stem_1``, ``stem_2`` … that is not ``taken``."""
    name, count = stem, 0
    while name in taken:
        count += 1
        name = f"{stem}_{count}"
    return name


def take_name(stem: str, taken: set[str]) -> str:
    """:func:`free_name`, which is then one of the ``taken``."""
    name = free_name(stem, taken)
    taken.add(name)
    return name
