"""Capture of a model through ``torch.export``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from onnx_diagnostics import CaptureError, DiagnosticContext
from torch.fx.experimental import _config as fx_config

from onnx_ir_capture.fx._program import import_exported_program
from onnx_ir_capture.program import CapturedProgram
from onnx_ir_capture.rules import CAPTURE_FAILED

__all__ = ["capture"]


def capture(
    model: torch.nn.Module,
    args: Sequence[object] = (),
    kwargs: Mapping[str, object] | None = None,
    *,
    dynamic_shapes: object = None,
    diagnostics: DiagnosticContext,
) -> CapturedProgram:
    """Capture ``model`` for the example inputs ``args`` and ``kwargs``.

    Raises:
        CaptureError: torch.export cannot capture it.
    """
    try:
        with fx_config.patch(backed_size_oblivious=True):
            exported = torch.export.export(
                model, tuple(args), dict(kwargs or {}), dynamic_shapes=dynamic_shapes, strict=False
            )
    except Exception as error:
        diagnostics.report(CAPTURE_FAILED, reason=str(error), advice="see the model's line above")
        raise CaptureError("the model could not be captured", diagnostics.errors) from error
    return import_exported_program(exported, diagnostics)
