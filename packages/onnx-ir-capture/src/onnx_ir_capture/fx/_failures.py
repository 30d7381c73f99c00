"""Exceptions out of torch.export as findings at the model's line."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterable

import torch
from torch._subclasses.fake_tensor import DataDependentOutputException, DynamicOutputShapeException
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode
from torch.utils import _pytree as pytree

from onnx_diagnostics import CaptureError, DiagnosticContext, Location
from onnx_ir_capture.fx._containers import register_advice
from onnx_ir_capture.fx._dynamo_words import dynamo_frames, dynamo_words
from onnx_ir_capture.fx._tracing import is_model_file, is_recorded_file
from onnx_ir_capture.fx._values import has_constant
from onnx_ir_capture.rules import CAPTURE_FAILED, DATA_DEPENDENT, FORWARD_RAISED

__all__ = ["capture_error", "check_results", "decomposition_error"]

_DATA_DEPENDENT = (GuardOnDataDependentSymNode, DataDependentOutputException, DynamicOutputShapeException)
_HINTS = re.compile(r"\n\n|\nCaused by:| \(unhinted: ")
_UNKNOWN_OUTPUT = re.compile(r"Found <class '([^']+)'> in output, which is not a known type")
_BROADCAST = "must match the size of tensor"


def capture_error(
    error: Exception, diagnostics: DiagnosticContext, definition: Location | None = None
) -> CaptureError:
    """Report what ended the capture, and make the exception that is to be raised from ``error``.

    Args:
        error: what torch.export raised.
        diagnostics: where it is reported.
        definition: where the model's forward begins, for what has no line of its own.
    """
    # Takes a second to load, and by now the capture has loaded it.
    from torch._dynamo.exc import TorchDynamoException

    followed = [*_frames_below_export(error), *dynamo_frames(error)]
    frames = [frame for frame in followed if is_recorded_file(frame.filename)]
    frames = [frame for frame in frames if is_model_file(frame.filename)] or frames
    related: list[Location] = []
    location = None
    if frames:
        location, *related = [_location(frame) for frame in reversed(frames)]
    reason, returned = _first_sentence(error), _returned(error)
    if returned is not None:
        location, related = definition or location, []
    if isinstance(error, _DATA_DEPENDENT):
        diagnostics.report(DATA_DEPENDENT, location=location, related=related, reason=reason)
    elif frames and returned is None and not isinstance(error, TorchDynamoException):
        name, advice = type(error).__qualname__, _advice(error)
        diagnostics.report(
            FORWARD_RAISED, location=location, related=related, error=name, reason=reason, advice=advice
        )
    else:
        reason, advice = (
            returned
            or dynamo_words(error)
            or (
                reason,
                "the exception that this one was raised from has torch's own words",
            )
        )
        location = location or definition
        diagnostics.report(CAPTURE_FAILED, location=location, related=related, reason=reason, advice=advice)
    return CaptureError("the model could not be captured", diagnostics.errors)


def _returned(error: Exception) -> tuple[str, str] | None:
    """Reason and advice where the model returned what is no output."""
    unknown = _UNKNOWN_OUTPUT.search(str(error))
    if unknown is not None:
        return _unknown_output(unknown[1])
    innermost = traceback.extract_tb(error.__traceback__)[-1].filename
    if isinstance(error, RecursionError) and innermost == pytree.__file__:
        return (
            "it returns a container that holds itself without end",
            "return containers that hold each other in one direction only, such as a list of tensors",
        )
    return None


def _unknown_output(cls: str) -> tuple[str, str]:
    """Reason and advice where the model returned an object of a class that torch has no use for."""
    module, _, name = cls.rpartition(".")
    advice = "return tensors in tuples, lists or dicts"
    if module.partition(".")[0] in ("", "numpy", "torch"):
        return f"it returns an object of class {cls}, which no output of a file can hold", advice
    return (
        f"it returns an object of class {cls}, of which torch does not know what tensors it holds",
        f"{advice}, or {register_advice(name, ())}",
    )


def check_results(
    results: Iterable[object], diagnostics: DiagnosticContext, definition: Location | None
) -> None:
    """Refuse what a traced model returned beside tensors and constants.

    Args:
        results: the leaves of what it returned.
        diagnostics: where the first such object is reported.
        definition: where the model's forward begins.

    Raises:
        CaptureError: there is such an object.
    """
    for result in results:
        if isinstance(result, torch.Tensor) or has_constant(result):
            continue
        cls = type(result)
        reason, advice = _unknown_output(f"{cls.__module__}.{cls.__qualname__}".removeprefix("builtins."))
        diagnostics.report(CAPTURE_FAILED, location=definition, reason=reason, advice=advice)
        raise CaptureError("the model could not be captured", diagnostics.errors)


def decomposition_error(error: Exception, diagnostics: DiagnosticContext) -> CaptureError:
    """Report what ended ``run_decompositions``, and make the exception to be raised from ``error``."""
    frames = [frame for frame in _frames_below_export(error) if is_model_file(frame.filename)]
    diagnostics.report(
        CAPTURE_FAILED,
        location=_location(frames[-1]) if frames else None,
        reason=f"torch cannot take the captured program apart: {_first_sentence(error)}",
        advice="leave decompose out: operators without a translation are then taken apart one by one",
    )
    return CaptureError("the captured program could not be taken apart", diagnostics.errors)


def _frames_below_export(error: Exception) -> list[traceback.FrameSummary]:
    """Frames from the exporter's call of torch.export inwards; the caller's own are not the model's."""
    frames = list(traceback.extract_tb(error.__traceback__))
    return frames[1:]


def _location(frame: traceback.FrameSummary) -> Location:
    return Location.at(frame.filename, frame.lineno, function=frame.name, message="called from")


def _first_sentence(error: Exception) -> str:
    """What torch said, without the hints on logging and other exporters that follow an empty line."""
    text = _HINTS.split(str(error).strip(), maxsplit=1)[0]
    return " ".join(text.split()) or type(error).__qualname__


def _advice(error: Exception) -> str:
    if _BROADCAST in str(error):
        return (
            "a dynamic dimension is never broadcast, so give it the size in the example that it is combined "
            "with, not 1"
        )
    if "SymInt" in str(error) or "SymFloat" in str(error):
        return (
            "a dynamic size is no int of Python while the model is captured: compute with + - * // % / **, "
            "min, max and round, which sizes take, too"
        )
    return "check that the model runs on the example arguments outside of the export"
