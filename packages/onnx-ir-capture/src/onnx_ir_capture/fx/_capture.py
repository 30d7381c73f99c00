"""Capture of a model through ``torch.export``."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import torch
from torch.export.dynamic_shapes import AdditionalInputs, ShapesCollection

from onnx_diagnostics import CaptureError, DiagnosticContext
from onnx_ir_capture.fx._arguments import Arguments, normalize_arguments, separate_tensors
from onnx_ir_capture.fx._assumptions import report_squeezed_dimensions
from onnx_ir_capture.fx._attribute_writes import attribute_writes_told
from onnx_ir_capture.fx._autocast import autocast_inside
from onnx_ir_capture.fx._before_capture import checked_arguments, definition_of, note_training
from onnx_ir_capture.fx._caches import known_caches
from onnx_ir_capture.fx._callables import (
    as_module,
    forward_signature,
    is_scripted,
    owner_of,
    program_signature,
    with_signature,
)
from onnx_ir_capture.fx._causal_flag import causal_by_size
from onnx_ir_capture.fx._containers import keys_for_all
from onnx_ir_capture.fx._covariance import covariance_of_any_values
from onnx_ir_capture.fx._data_attribute import data_followed
from onnx_ir_capture.fx._decisions import Questions, questions_noted
from onnx_ir_capture.fx._dimensions import resolve_dimensions
from onnx_ir_capture.fx._dynamic_shapes import DimensionRequest, DynamicShapes, read_dynamic_shapes
from onnx_ir_capture.fx._even_numbers import any_number_of_numbers
from onnx_ir_capture.fx._failures import capture_error, decomposition_error
from onnx_ir_capture.fx._fresh_bodies import bodies_compiled_afresh
from onnx_ir_capture.fx._gaussian_loss import variances_unchecked
from onnx_ir_capture.fx._guard import model_untouched, onnx_export_flag
from onnx_ir_capture.fx._operand_dtypes import check_operand_dtypes
from onnx_ir_capture.fx._packed_sequences import any_lengths
from onnx_ir_capture.fx._prefix_scans import any_number_of_rows
from onnx_ir_capture.fx._program import import_exported_program
from onnx_ir_capture.fx._quiet import torch_kept_quiet
from onnx_ir_capture.fx._recurrent import any_number_of_steps, without_steps
from onnx_ir_capture.fx._shape_layout import InvalidShapesError, NamedShapes
from onnx_ir_capture.fx._tracing import any_size_as_example, exact_source_lines
from onnx_ir_capture.fx._weights import fake_instead_of_meta
from onnx_ir_capture.program import CapturedProgram
from onnx_ir_capture.rules import DYNAMIC_SHAPES_IGNORED, INVALID_DYNAMIC_SHAPES, SCRIPTED_MODEL

__all__ = [
    "Capturable",
    "DecompositionTable",
    "capture",
    "plain_arguments",
    "requested_dimensions",
]

Capturable: TypeAlias = torch.nn.Module | torch.export.ExportedProgram | Callable[..., object]
"""A module, an exported program, or a function, method or ``functools.partial`` that takes tensors."""

DecompositionTable: TypeAlias = Mapping[torch._ops.OperatorBase, Callable[..., object]]
"""Operators, and functions that compute the same with others: what ``run_decompositions`` takes."""


@known_caches()
def capture(
    model: Capturable,
    args: object = (),
    kwargs: Mapping[str, object] | None = None,
    *,
    dynamic_shapes: object = None,
    input_names: Sequence[str] | None = None,
    diagnostics: DiagnosticContext,
    strict: bool = False,
    eval_mode: bool = False,
    decompose: bool | DecompositionTable = False,
) -> CapturedProgram:
    """Capture ``model`` for example arguments; an ``ExportedProgram`` is only imported.

    The model, its example arguments and torch's random state are as before afterwards. Meanwhile
    ``torch.onnx.is_in_onnx_export()`` answers True.

    Args:
        model: what to capture, in whichever mode it is.
        args: positional example arguments: tensors, None, Python numbers and strings, and tuples, lists and
            dicts of them. A single tensor may stand for a tuple of one; a dict at the end holds keyword
            arguments, if the model takes them so.
        kwargs: example arguments by name.
        dynamic_shapes: dimensions that vary, as ``{parameter: {axis: "name"}}``, one entry per parameter, or
            any other form of torch.export; names stand for ``Dim.DYNAMIC``. Sizes 0 and 1 in the example
            are like others. All dimensions that are not named stay fixed.
        input_names: names of the flattened tensor inputs, by which ``dynamic_shapes`` may also refer to them.
        diagnostics: where everything is reported.
        strict: trace Python bytecode instead of running the model (``torch.export.export(strict=True)``).
        eval_mode: capture what the model computes after ``model.eval()``, whichever mode it is in.
        decompose: False leaves the operators whole; True takes them apart into core ATen, a table as it says.

    Raises:
        TypeError: ``model`` cannot be called, or ``args`` or ``kwargs`` is no collection of arguments.
        CaptureError: the arguments or ``dynamic_shapes`` do not fit, the model raises, its way depends on
            tensors' values, it fixes a dimension that shall vary, or torch.export cannot capture it.
    """
    stage = diagnostics.child()  # what was found before is not the fault of this model
    if isinstance(model, torch.export.ExportedProgram):
        if dynamic_shapes:
            given = dynamic_shapes.argument if isinstance(dynamic_shapes, NamedShapes) else "dynamic_shapes"
            stage.report(DYNAMIC_SHAPES_IGNORED, argument=given)
        program = import_exported_program(_decomposed(model, decompose, stage), stage)
        check_operand_dtypes(program.model.graph, stage)
        return program
    _refuse_scripted(model, stage)
    module = as_module(model)
    signature = forward_signature(module)
    arguments = checked_arguments(module, signature, args, kwargs, stage)
    shapes = _checked_shapes(module, signature, arguments, dynamic_shapes, input_names or (), stage)
    note_training(module, eval_mode, stage)
    with model_untouched(module, owner_of(model)), onnx_export_flag():
        if eval_mode:
            _set_eval_mode(module, owner_of(model))
        in_eval_mode = not any(submodule.training for submodule in module.modules())
        arguments = fake_instead_of_meta(module, arguments)
        with autocast_inside(module) as inside:
            questions = Questions()
            with questions_noted(questions), attribute_writes_told(module, stage):
                exported = _export(inside, signature, arguments, shapes, strict, stage)
        program = _import(exported, shapes, questions, decompose, stage)
        return dataclasses.replace(program, in_eval_mode=in_eval_mode)


def _refuse_scripted(model: object, diagnostics: DiagnosticContext) -> None:
    """Refuse a model that ``torch.jit`` has compiled.

    Raises:
        CaptureError: it is one.
    """
    if is_scripted(model):
        found = diagnostics.report(SCRIPTED_MODEL, kind=f"a {type(model).__qualname__}")
        raise CaptureError("the model could not be captured", (found,))


def plain_arguments(model: Capturable, args: object, kwargs: Mapping[str, object] | None) -> Arguments:
    """The positional and keyword arguments that :func:`capture` takes ``args`` and ``kwargs`` for.

    Raises:
        TypeError: ``args`` or ``kwargs`` is no collection of arguments, or ``model`` cannot be called.
    """
    if isinstance(model, torch.export.ExportedProgram):
        return normalize_arguments(program_signature(model), args, kwargs)
    return normalize_arguments(forward_signature(as_module(model)), args, kwargs)


@known_caches()
def requested_dimensions(
    model: Callable[..., object],
    args: tuple[object, ...],
    kwargs: Mapping[str, object],
    dynamic_shapes: object,
    input_names: Sequence[str],
    diagnostics: DiagnosticContext,
) -> tuple[DimensionRequest, ...]:
    """The dimensions that ``dynamic_shapes`` asks of :func:`capture`, for arguments in their plain form.

    Raises:
        CaptureError: it does not fit the arguments.
    """
    module = as_module(model)
    signature = forward_signature(module)
    shapes = _checked_shapes(
        module, signature, (args, dict(kwargs)), dynamic_shapes, input_names, diagnostics
    )
    return shapes.requests


def _checked_shapes(
    module: torch.nn.Module,
    signature: inspect.Signature,
    arguments: Arguments,
    spec: object,
    input_names: Sequence[str],
    diagnostics: DiagnosticContext,
) -> DynamicShapes:
    if isinstance(spec, AdditionalInputs | ShapesCollection):
        read: Callable[..., object] = spec.dynamic_shapes
        spec = read(module, *arguments)
    try:
        return read_dynamic_shapes(spec, signature, *arguments, input_names)
    except InvalidShapesError as error:
        reason = str(error)
        if isinstance(spec, NamedShapes):
            reason = reason.replace("dynamic_shapes", spec.argument)
        diagnostics.report(INVALID_DYNAMIC_SHAPES, reason=reason, location=definition_of(module))
        raise CaptureError("the model could not be captured", diagnostics.errors) from None


def _export(
    module: torch.nn.Module,
    signature: inspect.Signature,
    arguments: Arguments,
    shapes: DynamicShapes,
    strict: bool,
    diagnostics: DiagnosticContext,
) -> torch.export.ExportedProgram:
    args, kwargs = separate_tensors(*arguments)
    for_torch = None
    if shapes.requests:
        flat = _without_var_keyword(signature, kwargs)
        if flat is not signature:
            # torch.export cannot match dynamic_shapes with the members of **kwargs.
            module, signature = with_signature(module, flat), flat
        for_torch = signature.bind(*shapes.args, **shapes.kwargs).arguments
    try:
        with (
            any_size_as_example(),
            any_number_of_steps(),
            any_lengths(),
            any_number_of_numbers(),
            any_number_of_rows(module),
            bodies_compiled_afresh(),
            causal_by_size(),
            covariance_of_any_values(),
            data_followed(),
            exact_source_lines(),
            keys_for_all(),
            variances_unchecked(),
            torch_kept_quiet(),
        ):
            return torch.export.export(module, args, kwargs, dynamic_shapes=for_torch, strict=strict)
    except Exception as error:
        raise capture_error(error, diagnostics, definition_of(module)) from error


def _decomposed(
    exported: torch.export.ExportedProgram,
    decompose: bool | DecompositionTable,
    diagnostics: DiagnosticContext,
) -> torch.export.ExportedProgram:
    if decompose is False:
        return exported
    table = without_steps(torch.export.default_decompositions() if decompose is True else decompose)
    try:
        with (
            any_size_as_example(),
            any_number_of_steps(),
            covariance_of_any_values(),
            exact_source_lines(),
        ):
            apart: torch.export.ExportedProgram = exported.run_decompositions(table)
    except Exception as error:
        raise decomposition_error(error, diagnostics) from error
    return apart


def _import(
    exported: torch.export.ExportedProgram,
    shapes: DynamicShapes,
    questions: Questions,
    decompose: bool | DecompositionTable,
    diagnostics: DiagnosticContext,
) -> CapturedProgram:
    stage = diagnostics.child()
    dimensions = resolve_dimensions(exported, shapes.requests, questions, stage)
    _refuse_fixed(stage)
    exported = _decomposed(exported, decompose, diagnostics)
    program = import_exported_program(exported, diagnostics, dimensions)
    check_operand_dtypes(program.model.graph, diagnostics)
    report_squeezed_dimensions(program.model.graph, stage, dimensions.example)
    _refuse_fixed(stage)
    return program


def _refuse_fixed(diagnostics: DiagnosticContext) -> None:
    if diagnostics.has_errors:
        raise CaptureError("dimensions that shall be dynamic are fixed or limited", diagnostics.errors)


def _without_var_keyword(signature: inspect.Signature, kwargs: Mapping[str, object]) -> inspect.Signature:
    """The signature with the names that go into ``**kwargs`` as parameters of their own."""
    parameters = list(signature.parameters.values())
    if not parameters or parameters[-1].kind is not inspect.Parameter.VAR_KEYWORD:
        return signature
    named = {parameter.name for parameter in parameters[:-1]}
    extra = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in kwargs if name not in named]
    return signature.replace(parameters=parameters[:-1] + extra)


def _set_eval_mode(*roots: torch.nn.Module | None) -> None:
    """Set the flags themselves: a model may override ``train()`` to do more, and nothing may stay of it."""
    for root in roots:
        for submodule in root.modules() if root is not None else ():
            submodule.training = False
