"""What is checked, and said, of a model and its example arguments before either route captures it."""

from __future__ import annotations

import inspect
from collections.abc import Mapping

import torch

from onnx_diagnostics import CaptureError, DiagnosticContext, Level, Location
from onnx_ir_capture.fx._arguments import Arguments, check_arguments, normalize_arguments
from onnx_ir_capture.fx._containers import unusable_input
from onnx_ir_capture.fx._shape_layout import positional_names
from onnx_ir_capture.fx._tracing import is_model_file
from onnx_ir_capture.rules import INVALID_ARGUMENTS, TRAINING_MODE, UNUSABLE_INPUT

__all__ = ["checked_arguments", "definition_of", "note_training"]


def checked_arguments(
    module: torch.nn.Module,
    signature: inspect.Signature,
    args: object,
    kwargs: Mapping[str, object] | None,
    diagnostics: DiagnosticContext,
) -> Arguments:
    """The arguments in their plain form.

    Raises:
        TypeError: ``args`` or ``kwargs`` is no collection of arguments.
        CaptureError: they do not fit the signature, or one of them cannot be an input.
    """
    positional, keywords = normalize_arguments(signature, args, kwargs)
    reason = check_arguments(signature, positional, keywords)
    if reason:
        diagnostics.report(INVALID_ARGUMENTS, reason=reason, location=definition_of(module))
        raise CaptureError("the model could not be captured", diagnostics.errors)
    given = [*zip(positional_names(signature, len(positional)), positional, strict=True), *keywords.items()]
    unusable = unusable_input(given)
    if unusable is not None:
        place = definition_of(module)
        diagnostics.report(UNUSABLE_INPUT, reason=unusable.reason, advice=unusable.advice, location=place)
        raise CaptureError("the model could not be captured", diagnostics.errors)
    return positional, keywords


def note_training(module: torch.nn.Module, eval_mode: bool, diagnostics: DiagnosticContext) -> None:
    """Report a module in training mode; whether that matters depends on the mode that is captured."""
    name = next((name for name, submodule in module.named_modules() if submodule.training), None)
    if name is None:
        return
    described = f"submodule {name!r}" if name else f"the model ({type(module).__name__})"
    diagnostics.report(
        TRAINING_MODE,
        level=Level.NOTE if eval_mode else None,
        location=definition_of(module),
        module=described,
        effect="exported as in evaluation mode" if eval_mode else "and captured so",
        advice=_PRESERVE if eval_mode else "call model.eval() before the export",
    )


_PRESERVE = (
    "nothing has to be done; to keep the mode, ask for training=TrainingMode.PRESERVE or eval_mode=False"
)


def definition_of(module: torch.nn.Module) -> Location | None:
    """Where the module's forward begins, if that is a line of the user's."""
    function = inspect.unwrap(module.forward)
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    if code is None or not is_model_file(code.co_filename):
        return None
    return Location.at(code.co_filename, code.co_firstlineno, function=code.co_name)
