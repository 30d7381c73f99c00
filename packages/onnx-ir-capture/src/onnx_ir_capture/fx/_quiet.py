"""What torch prints and logs where a capture fails, which the findings say at the model's line."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TextIO

from onnx_ir_capture.fx._replaced import changed_while_capturing, is_captured_here

__all__ = ["torch_kept_quiet"]

# Torch's loggers that repeat the failure.
_LOGGERS = (
    "torch._subclasses.fake_tensor",
    "torch.export._trace",
    "torch.fx.experimental.symbolic_shapes",
)


def torch_kept_quiet() -> AbstractContextManager[None]:
    """Meanwhile torch does not print the program that it has up to a failure, nor log the failure.

    Where the user has asked for torch's logs with ``TORCH_LOGS``, everything stays.
    """
    return changed_while_capturing(__name__, _change)


def _change() -> Callable[[], None]:
    if "TORCH_LOGS" in os.environ:
        return lambda: None
    from torch.export import _trace as export_trace  # loads torch's compiler, as the capture does next

    loggers = [logging.getLogger(name) for name in _LOGGERS]
    for logger in loggers:
        logger.addFilter(_is_of_others)
    # The module's own name for it comes before the builtin.
    vars(export_trace)["print"] = _print

    def undo() -> None:
        del vars(export_trace)["print"]
        for logger in loggers:
            logger.removeFilter(_is_of_others)

    return undo


def _is_of_others(record: logging.LogRecord) -> bool:
    return not is_captured_here()


def _print(*values: object, file: TextIO | None = None) -> None:
    if not is_captured_here():
        print(*values, file=file)
