"""How much memory this process has taken at most."""

from __future__ import annotations

import sys

if sys.platform != "win32":
    import resource

__all__ = ["peak_memory"]


def peak_memory() -> int | None:
    """The largest resident size of this process so far, in bytes; None where the system does not tell."""
    peak = _high_water_mark()
    if peak is not None or sys.platform == "win32":
        return peak
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return largest if sys.platform == "darwin" else largest * 1024


def _high_water_mark() -> int | None:
    """The peak by /proc, which counts from the start of this program, not of the one that started it."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as status:
            line = next((line for line in status if line.startswith("VmHWM:")), None)
    except OSError:
        return None
    return None if line is None else int(line.split()[1]) * 1024
