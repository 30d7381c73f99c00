"""Arguments of ``export()`` that turn out to have no effect once the model is captured."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import torch

from onnx_diagnostics import DiagnosticContext
from onnx_export._feeds import feeds_of
from onnx_export._program import ONNXProgram
from onnx_export._request import Request
from onnx_export.rules import ARGUMENT_IGNORED
from onnx_ir_capture.fx import NamedShapes

__all__ = ["warn_of_unused"]


def warn_of_unused(
    program: ONNXProgram, request: Request, diagnostics: DiagnosticContext, *, dumps: bool
) -> None:
    """Report, and warn of, arguments that did nothing, by rule EXP003.

    Args:
        program: what was exported.
        request: what was asked for.
        diagnostics: where it is reported.
        dumps: whether the program of torch.export was to be saved.
    """
    for argument, reason in _unused(program, request, dumps):
        diagnostics.report(ARGUMENT_IGNORED, argument=argument, reason=reason)
        warnings.warn(f"{argument} has no effect: {reason}", UserWarning, stacklevel=4)


def _unused(program: ONNXProgram, request: Request, dumps: bool) -> Iterator[tuple[str, str]]:
    if dumps and program.exported_program is None:
        yield "dump_exported_program", "the model was traced, and only torch.export makes such a program"
    yield from _unknown_axes(program, request.dynamic_shapes)
    is_given = bool(request.args or request.kwargs)
    if not is_given or not isinstance(request.model, torch.export.ExportedProgram):
        return
    try:
        feeds_of(program.program, program.model, request.args, request.kwargs)
    except (TypeError, ValueError) as error:
        argument = "kwargs" if request.kwargs and not request.args else "args"
        yield argument, f"an ExportedProgram was made with its own, and these do not fit: {error}"


def _unknown_axes(program: ONNXProgram, shapes: object) -> Iterator[tuple[str, str]]:
    """Keys of ``dynamic_axes`` that name neither an input nor an output; outputs' shapes follow anyhow."""
    if not isinstance(shapes, NamedShapes):
        return
    graph = program.model.graph
    inputs, outputs = ([str(value.name) for value in values] for values in (graph.inputs, graph.outputs))
    known = f"the inputs are {', '.join(inputs)}, and the outputs {', '.join(outputs)}"
    for name in sorted(shapes.unknown.difference(outputs)):
        yield f"{shapes.argument}[{name!r}]", f"there is no such input or output; {known}"
