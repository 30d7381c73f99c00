"""Capture by the first route that can: torch.export, the same otherwise, a trace.

torch.export follows sizes and refuses what it cannot follow. By an example with sizes 0 and 1 models take
ways that hold for no other size, so it is tried with larger ones, and then through Python's bytecode. A trace
holds what came out for the example, so it stands in only where it cannot be silently wrong: the tracer had
nothing to warn of, and at other sizes and values the trace computes what the model does.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

import torch
from torch.export.dynamic_shapes import AdditionalInputs, ShapesCollection
from torch.utils import _pytree as pytree

from onnx_diagnostics import CaptureError, Diagnostic, DiagnosticContext, Level, OnnxExporterError
from onnx_export.__about__ import __version__
from onnx_export._compared_runs import compare_outputs
from onnx_export._differences import output_tensors
from onnx_export._eager import copies, reference
from onnx_export._feeds import leaves_of, tensor_faults
from onnx_export._input_sets import InputSet, example_sizes, input_sets, sizes_in_words
from onnx_export.rules import OTHER_ROUTE, ROUTE_FAILED
from onnx_ir_capture.fx import (
    Capturable,
    DecompositionTable,
    DimensionRequest,
    capture,
    known_caches,
    larger_example,
    model_untouched,
    owner_of,
    plain_arguments,
    requested_dimensions,
    squeezed_singles,
    values_kept,
)
from onnx_ir_capture.interpreter import run_program
from onnx_ir_capture.program import CapturedProgram
from onnx_ir_capture.rules import (
    CAPTURE_FAILED,
    DATA_DEPENDENT,
    DIMENSION_FIXED,
    FORWARD_RAISED,
    TRACED_VALUE,
)
from onnx_ir_capture.torchscript import capture_script, requested_axes, requested_ranges

__all__ = ["CaptureRequest", "capture_by_any_route"]

_MENDABLE = (CAPTURE_FAILED, DATA_DEPENDENT, DIMENSION_FIXED, FORWARD_RAISED)


@dataclasses.dataclass(frozen=True)
class CaptureRequest:
    """What is captured, with the arguments of :func:`onnx_ir_capture.fx.capture`."""

    model: Capturable
    args: object
    kwargs: Mapping[str, object] | None
    dynamic_shapes: object
    input_names: Sequence[str] | None
    eval_mode: bool
    decompose: bool | DecompositionTable

    def export(self, diagnostics: DiagnosticContext, *, strict: bool = False) -> CapturedProgram:
        """Capture through torch.export."""
        return capture(
            self.model,
            self.args,
            self.kwargs,
            dynamic_shapes=self.dynamic_shapes,
            input_names=self.input_names,
            diagnostics=diagnostics,
            strict=strict,
            eval_mode=self.eval_mode,
            decompose=self.decompose,
        )


_LARGER = "torch.export by an example of larger sizes"

_Attempt: TypeAlias = Callable[[CaptureRequest, DiagnosticContext], CapturedProgram]


def capture_by_any_route(request: CaptureRequest, diagnostics: DiagnosticContext) -> CapturedProgram:
    """Capture through torch.export, or, where that fails on a model that runs, by another way.

    Raises:
        CaptureError: no route captures the model; it lists why the first does not, and the others' reasons.
    """
    first = _scratch()
    try:
        program = request.export(first)
    except CaptureError as error:
        failed = error
    except BaseException:
        diagnostics.extend(first)
        raise
    else:
        diagnostics.extend(first)
        return program
    try:
        _check_mendable(failed, request)
    except CaptureError:
        diagnostics.extend(first)
        raise
    return _by_another_route(failed, request, first, diagnostics)


def _by_another_route(
    failed: CaptureError, request: CaptureRequest, first: DiagnosticContext, diagnostics: DiagnosticContext
) -> CapturedProgram:
    refusals: list[Diagnostic] = []
    for route, attempt in _other_routes(request):
        found = _scratch()
        try:
            program = attempt(request, found)
        except OnnxExporterError as error:
            reason = error.diagnostics[0] if error.diagnostics else None
            text = error.message if reason is None else reason.message
            place = None if reason is None else reason.location
            refusals.append(_scratch().report(ROUTE_FAILED, location=place, route=route, reason=text))
            continue
        _report_route(route, failed, diagnostics)
        diagnostics.extend(found)
        return program
    diagnostics.extend(first)
    diagnostics.extend(refusals)
    raise CaptureError(failed.message, (*failed.diagnostics, *refusals)) from failed.__cause__


def _scratch() -> DiagnosticContext:
    """What an attempt finds is of no interest where another one succeeds."""
    return DiagnosticContext("onnx-export", __version__)


def _report_route(route: str, failed: CaptureError, diagnostics: DiagnosticContext) -> None:
    reason = failed.diagnostics[0]
    level = Level.NOTE if route == _LARGER else None  # which follows sizes as the first one does
    diagnostics.report(OTHER_ROUTE, level=level, location=reason.location, route=route, reason=reason.message)


def _check_mendable(failed: CaptureError, request: CaptureRequest) -> None:
    """Raise ``failed`` where no other route can help: the model itself does not run on the example."""
    is_captured = isinstance(request.model, torch.export.ExportedProgram)
    if is_captured or any(found.rule not in _MENDABLE for found in failed.diagnostics):
        raise failed from failed.__cause__
    args, kwargs = plain_arguments(request.model, request.args, request.kwargs)
    # What the model raises by itself, the first capture has reported with its line.
    with contextlib.suppress(Exception), _runnable(request) as module:
        _run(module, args, kwargs)
        return
    raise failed from failed.__cause__


def _other_routes(request: CaptureRequest) -> Iterator[tuple[str, _Attempt]]:
    larger = _with_larger_sizes(request)
    if larger is not None:
        yield _LARGER, functools.partial(_checked_export, larger)
    yield "torch.export(strict=True)", _strict
    yield "torch.jit.trace", _checked_trace


def _with_larger_sizes(request: CaptureRequest) -> CaptureRequest | None:
    """The request with an example that has no dynamic dimensions of size 0 and 1; None if it has none now."""
    if isinstance(request.dynamic_shapes, AdditionalInputs | ShapesCollection):
        return None  # which name the very tensors of the example
    args, kwargs = plain_arguments(request.model, request.args, request.kwargs)
    larger = larger_example(_requested(request, args, kwargs, _scratch()), args, kwargs)
    if larger is None:
        return None
    return dataclasses.replace(request, args=larger[0], kwargs=larger[1])


def _requested(
    request: CaptureRequest,
    args: tuple[object, ...],
    kwargs: Mapping[str, object],
    diagnostics: DiagnosticContext,
) -> tuple[DimensionRequest, ...]:
    model = request.model
    if isinstance(model, torch.export.ExportedProgram):
        return ()
    return requested_dimensions(
        model, args, kwargs, request.dynamic_shapes, request.input_names or (), diagnostics
    )


def _checked_export(
    larger: CaptureRequest, request: CaptureRequest, diagnostics: DiagnosticContext
) -> CapturedProgram:
    """What ``larger`` captures, where it computes for the example of ``request`` what the model does."""
    program = larger.export(diagnostics)
    if program.is_whole:
        _check_names(program, request)
        _check_against_model(program, request)
    return program


def _check_names(program: CapturedProgram, request: CaptureRequest) -> None:
    """See that dimensions of one name have one size in the example of ``request``.

    Where the example has a size of 1 that is broadcast, the larger one has the size of the others.

    Raises:
        CaptureError: one has another size than the first.
    """
    args, kwargs = plain_arguments(request.model, request.args, request.kwargs)
    sizes: dict[str, tuple[int, str]] = {}
    for spec, leaf in zip(program.inputs, leaves_of(program, args, kwargs), strict=True):
        if spec.value is None or not isinstance(leaf, torch.Tensor):
            continue
        for fault in tensor_faults(spec.value, leaf, sizes):
            raise CaptureError(
                f"{spec.name} {fault}: leave the one of size 1 as it is, or give the example equal sizes"
            )


def _strict(request: CaptureRequest, diagnostics: DiagnosticContext) -> CapturedProgram:
    return request.export(diagnostics, strict=True)


def _checked_trace(request: CaptureRequest, diagnostics: DiagnosticContext) -> CapturedProgram:
    """A trace of the model, where nothing in it is fixed to the example."""
    model = request.model
    if isinstance(model, torch.export.ExportedProgram) or request.decompose:
        raise CaptureError("a trace is not taken apart into core ATen, as decompose asks for")
    args, kwargs = plain_arguments(model, request.args, request.kwargs)
    requests = _requested(request, args, kwargs, diagnostics)
    try:
        axes = requested_axes(model, args, kwargs, requests, request.input_names)
    except ValueError as error:
        raise CaptureError(str(error)) from None
    program = capture_script(
        model,
        args,
        kwargs,
        dynamic_axes=axes,
        input_names=request.input_names,
        diagnostics=diagnostics,
        eval_mode=request.eval_mode,
    )
    fixed = [found for found in diagnostics if found.rule == TRACED_VALUE]
    if fixed:
        raise CaptureError("the trace fixes values of the example", fixed)
    if not program.is_whole:
        raise CaptureError("the trace has constructs that cannot be imported", diagnostics.errors)
    program = dataclasses.replace(program, dimensions=requested_ranges(program.dimensions, requests))
    _check_against_model(program, request)
    return program


@known_caches()
def _check_against_model(program: CapturedProgram, request: CaptureRequest) -> None:
    """Run program and model for the example, and for others of its kind.

    Raises:
        CaptureError: they differ, or one of them does not run.
    """
    args, kwargs = plain_arguments(request.model, request.args, request.kwargs)
    _check_squeezes(program, args, kwargs)
    with _runnable(request) as module:
        for inputs in _inputs_to_compare(program, args, kwargs):
            _compare(program, module, inputs)


def _check_squeezes(program: CapturedProgram, args: Sequence[object], kwargs: Mapping[str, object]) -> None:
    """Refuse a program that squeezes a dimension which is 1 in the example: the file would keep it.

    Raises:
        CaptureError: it does.
    """
    leaves = pytree.tree_leaves((tuple(args), dict(kwargs)))
    singles = squeezed_singles(program.model.graph, example_sizes(program, leaves))
    if singles:
        raise CaptureError(f"it keeps the dimension {singles[0]!r}, which squeeze removes in the example")


def _inputs_to_compare(
    program: CapturedProgram, args: Sequence[object], kwargs: Mapping[str, object]
) -> Iterator[InputSet]:
    """The example, other sizes of it, and the example with its values in another order."""
    yield from input_sets(program, args, kwargs)
    other_args, other_kwargs = pytree.tree_map_only(torch.Tensor, _other_values, (tuple(args), dict(kwargs)))
    yield {}, other_args, other_kwargs


def _other_values(example: torch.Tensor) -> torch.Tensor:
    """Another tensor of values that are legal where those of the example are, as for indices."""
    turned = example.detach().flatten().flip(0).reshape(example.shape)
    if not example.is_floating_point() or not torch.equal(turned, example):
        return turned
    steps = torch.linspace(0.5, 1.5, max(turned.numel(), 1), device=turned.device)[: turned.numel()]
    return turned + steps.reshape(turned.shape).to(turned.dtype)


def _compare(program: CapturedProgram, module: torch.nn.Module, inputs: InputSet) -> None:
    """Run program and model for these inputs.

    Raises:
        CaptureError: they differ, or one of them does not run.
    """
    sizes, args, kwargs = inputs
    at = sizes_in_words(sizes)
    try:
        expected = output_tensors(_run(module, args, kwargs), program)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise CaptureError(f"it cannot be compared at {at}, where the model raises {reason}") from error
    try:
        given_args, given_kwargs = copies(args, kwargs)
        with torch.no_grad():
            actual = output_tensors(run_program(program, given_args, given_kwargs), program)
    except Exception as error:
        raise CaptureError(f"at {at} what it captures does not run: {error}") from error
    names = [str(value.name) for value in program.model.graph.outputs]
    compared = compare_outputs(names, actual, expected, sizes)
    different = next((found for found in compared if found.problem), None)
    if different is not None:
        raise CaptureError(f"its output {different.output} differs at {at}: {different.problem}")


@contextlib.contextmanager
def _runnable(request: CaptureRequest) -> Iterator[torch.nn.Module]:
    """The model in the mode that is captured; afterwards it is as before."""
    with reference(request.model, request.eval_mode) as module:
        modules = [found for found in (module, owner_of(request.model)) if found is not None]
        tensors = [tensor for found in modules for tensor in (*found.parameters(), *found.buffers())]
        with model_untouched(*modules), values_kept(tensors), torch.no_grad():
            yield module


def _run(module: torch.nn.Module, args: Sequence[object], kwargs: Mapping[str, object]) -> object:
    """The model's result for copies of the inputs, apart from the state that it may be."""
    given_args, given_kwargs = copies(args, kwargs)
    return pytree.tree_map_only(torch.Tensor, torch.clone, module(*given_args, **given_kwargs))
