"""Progress lines on the terminal."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator

from rich.console import Console
from rich.markup import escape

__all__ = ["Progress"]

_WORDS = {
    "capture": "captured the model with torch.export",
    "passes": "cleaned up the captured program",
    "lowering": "lowered it to ONNX",
    "finish": "named and typed the graph",
    "check": "checked it with onnx.checker",
    "save": "saved the file",
    "verify": "compared it with PyTorch in ONNX Runtime",
}


class Progress:
    """Tells the user of each finished stage on standard error.

    Args:
        verbose: True always tells, False never, None only on a terminal.
    """

    def __init__(self, verbose: bool | None) -> None:
        self._console = Console(stderr=True, highlight=False)
        self._tells = sys.stderr.isatty() if verbose is None else verbose

    def wrote(self, path: str) -> None:
        """Tell of a file beside the model."""
        if self._tells:
            self._console.print(f"[green]✓[/green] wrote {escape(path)}", soft_wrap=True)

    def __call__(self, stage: str, seconds: float) -> None:
        """Note that ``stage`` is done."""
        if self._tells:
            self._console.print(f"[green]✓[/green] {_WORDS.get(stage, stage)} [dim]({seconds:.2f} s)[/dim]")

    @contextlib.contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time the block, and tell of it unless it raises."""
        start = time.perf_counter()
        yield
        self(name, time.perf_counter() - start)
