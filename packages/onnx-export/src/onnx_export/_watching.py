"""Who is told how an export goes: what its stages make, and how long they take."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

from onnx_export._compared_runs import Comparison
from onnx_export._program import ONNXProgram
from onnx_export._request import Request
from onnx_ir_capture.lowering import LoweredProgram
from onnx_ir_capture.program import CapturedProgram

__all__ = ["StageObserver", "Watch", "timed"]

StageObserver: TypeAlias = Callable[[str, float], None]
"""Called after each stage with its name and its seconds."""


class Watch:
    """Is told what an export does, and takes no notice; a subclass keeps what it wants."""

    def begin(self, stage: str) -> None:
        """``stage`` begins."""

    def end(self, stage: str, seconds: float, *, finished: bool) -> None:
        """``stage`` ends; ``finished`` is False if by an exception."""

    def requested(self, request: Request) -> None:
        """The arguments are read."""

    def configured(
        self, opset: int, function: Callable[..., object], arguments: Mapping[str, object]
    ) -> None:
        """The exporter is made, as the ``arguments`` of ``function`` ask for."""

    def captured(self, program: CapturedProgram) -> None:
        """The model is captured."""

    def cleaned(self, program: CapturedProgram) -> None:
        """The passes are done."""

    def lowered(self, program: LoweredProgram) -> None:
        """Every call was looked at; some may have failed."""

    def built(self, program: ONNXProgram) -> None:
        """The ONNX model is whole, and has passed the checker."""

    def compared(self, comparisons: Iterable[Comparison]) -> None:
        """Outputs were held against PyTorch's; it may have ended early."""

    def saved(self, path: str | os.PathLike[str]) -> None:
        """The model was written to ``path``, and its weights perhaps beside it."""


@contextlib.contextmanager
def timed(stage: str, on_stage: StageObserver | None, watch: Watch) -> Iterator[None]:
    """Time the block as a stage, and tell of it; ``on_stage`` only if it does not raise."""
    watch.begin(stage)
    start = time.perf_counter()
    finished = False
    try:
        yield
        finished = True
    finally:
        seconds = time.perf_counter() - start
        watch.end(stage, seconds, finished=finished)
    if on_stage is not None:
        on_stage(stage, seconds)
