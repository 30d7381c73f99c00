"""What a log says of an export that ends with an ordinary error, and what a silent one keeps to itself."""

from __future__ import annotations

import contextlib
import traceback
import warnings
from collections.abc import Iterator

from onnx_diagnostics import DiagnosticContext, DiagnosticError
from onnx_export.rules import UNUSABLE_ARGUMENT

__all__ = ["argument_errors", "silence"]


@contextlib.contextmanager
def argument_errors(diagnostics: DiagnosticContext) -> Iterator[None]:
    """Report that an argument of the export is refused; the error itself is raised as it is."""
    try:
        yield
    except DiagnosticError:
        raise
    except (TypeError, ValueError, ImportError) as error:
        # What torch or the model raises by the way is no word on an argument.
        if _is_ours(error):
            diagnostics.report(UNUSABLE_ARGUMENT, kind=type(error).__name__, reason=str(error))
        raise


def _is_ours(error: Exception) -> bool:
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    return bool(frames) and str(frames[-1].f_globals.get("__name__")).startswith(
        ("onnx_export", "onnx_ir_capture")
    )


@contextlib.contextmanager
def silence(verbose: bool | None) -> Iterator[None]:
    """With ``verbose=False`` no warning leaves the block: what is found is on the context, and in the log."""
    if verbose is not False:
        yield
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
