"""Tables of operator names as running text."""

from __future__ import annotations

__all__ = ["words"]


def words(text: str) -> frozenset[str]:
    """The words of ``text``."""
    return frozenset(text.split())
