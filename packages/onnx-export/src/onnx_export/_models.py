"""What ``export()`` takes as a model, brought down to what can be captured."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import TypeAlias

import torch

from onnx_diagnostics import CaptureError, DiagnosticContext
from onnx_export._program import ONNXProgram
from onnx_export._pt2 import holds_script, load_program, load_script
from onnx_ir_capture.fx import Capturable
from onnx_ir_capture.rules import UNSUPPORTED_CONSTRUCT

__all__ = ["Exportable", "resolved"]

Exportable: TypeAlias = "Capturable | str | os.PathLike[str]"
"""A module, a function, an exported program, or the path of a file of ``torch.export`` or ``torch.jit``."""

_PARALLEL = (torch.nn.DataParallel, torch.nn.parallel.DistributedDataParallel)


def resolved(model: Exportable, diagnostics: DiagnosticContext) -> Capturable:
    """The program of a file, and the model inside of ``torch.compile`` and data-parallel wrappers.

    Raises:
        OnnxExporterError: the file holds no program, or weights of the model have no shape yet.
        TypeError: the model is an ONNX program already.
    """
    if isinstance(model, str | os.PathLike):
        return load_script(model, diagnostics) if holds_script(model) else load_program(model, diagnostics)
    inner: object = model
    while (wrapped := _wrapped(inner)) is not None:
        inner = wrapped
    if isinstance(inner, ONNXProgram):
        raise TypeError(
            "the model is an ONNXProgram, which is exported already: use its save(), or export() the model "
            "that it was made from"
        )
    if not callable(inner) and not isinstance(inner, torch.export.ExportedProgram):
        return model  # the capture says what is wrong with it
    if isinstance(inner, torch.nn.Module):
        _check_initialized(inner, diagnostics)
    return inner


def _wrapped(model: object) -> object:
    """The model that ``model`` only runs in another way; None if it is no such wrapper."""
    if isinstance(model, _PARALLEL):
        return model.module
    # Takes a second to load; where it is not loaded, nothing was compiled.
    compiler = sys.modules.get("torch._dynamo.eval_frame")
    if compiler is not None and isinstance(model, compiler.OptimizedModule):
        return getattr(model, "_orig_mod", None)
    if isinstance(model, torch.nn.Module):
        return None
    return getattr(model, "_torchdynamo_orig_callable", None)


def _check_initialized(model: torch.nn.Module, diagnostics: DiagnosticContext) -> None:
    names = list(_lazy_weights(model))
    if not names:
        return
    diagnostics.report(
        UNSUPPORTED_CONSTRUCT,
        construct=f"a lazy module ({', '.join(names)})",
        reason="these weights get their shapes in the first call of the model",
        advice="call the model once on the example inputs before the export",
    )
    raise CaptureError("the model could not be captured", diagnostics.errors)


def _lazy_weights(model: torch.nn.Module) -> Iterator[str]:
    for weights in (model.named_parameters(), model.named_buffers()):
        yield from (name for name, weight in weights if torch.nn.parameter.is_lazy(weight))
