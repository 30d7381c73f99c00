"""Numbers, shapes and counts in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from onnx_export._report._facts import DimensionFact

__all__ = ["by_count", "counted", "memory", "number", "shape", "sizes", "tally"]


def counted(count: int, name: str) -> str:
    """A number of things."""
    return f"{count} {name}" if count == 1 else f"{count} {name}s"


def shape(dims: Sequence[str] | None) -> str:
    """A shape as it is written in Python."""
    return "" if dims is None else f"[{', '.join(dims)}]"


_UNITS = ("B", "kB", "MB", "GB", "TB")


def memory(nbytes: int | None) -> str:
    """A number of bytes with a unit."""
    if nbytes is None:
        return ""
    size = float(nbytes)
    for unit in _UNITS:
        if size < 1000 or unit == _UNITS[-1]:
            return f"{size:.0f} {unit}" if unit == "B" or size >= 100 else f"{size:.1f} {unit}"
        size /= 1000
    return ""


def number(value: float) -> str:
    """A difference in three digits."""
    return f"{value:.3g}"


def tally(counts: Mapping[str, int]) -> str:
    """Names with how often each occurs, the most frequent first."""
    return ", ".join(name if count == 1 else f"{name} ×{count}" for name, count in by_count(counts).items())


def by_count(counts: Mapping[str, int]) -> dict[str, int]:
    """The counts in falling order; a log has its properties in that of their names."""
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def sizes(dimension: DimensionFact) -> str:
    """The sizes that a dimension may have."""
    if dimension.upper is not None:
        return f"from {dimension.lower} to {dimension.upper}"
    return f"from {dimension.lower}" if dimension.lower else "of any size"
