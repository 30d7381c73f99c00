"""Capture of a model through TorchScript."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import onnx_ir as ir
import torch
from torch.utils import _pytree as pytree

from onnx_diagnostics import DiagnosticContext, Location
from onnx_ir_capture.dialect import items_of
from onnx_ir_capture.fx._arguments import separate_tensors
from onnx_ir_capture.fx._assumptions import report_squeezed_dimensions
from onnx_ir_capture.fx._attribute_writes import attribute_writes_told
from onnx_ir_capture.fx._before_capture import checked_arguments, definition_of, note_training
from onnx_ir_capture.fx._caches import known_caches
from onnx_ir_capture.fx._callables import as_module, forward_signature, owner_of
from onnx_ir_capture.fx._failures import capture_error, check_results
from onnx_ir_capture.fx._guard import model_untouched, onnx_export_flag, values_kept
from onnx_ir_capture.fx._values import constant_of, typed_value
from onnx_ir_capture.fx._weights import report_renamed
from onnx_ir_capture.program import CapturedProgram, InputSpec, OutputSpec, WeightKind
from onnx_ir_capture.rules import TRACED_VALUE
from onnx_ir_capture.torchscript._fixed_sizes import has_fixed_sizes
from onnx_ir_capture.torchscript._graph import ScriptImporter
from onnx_ir_capture.torchscript._inputs import (
    dimensions_of,
    leaf_names,
    named_axes,
    named_input,
    names_given,
)
from onnx_ir_capture.torchscript._scripted import capture_scripted
from onnx_ir_capture.torchscript._seeding import lacks_sizes, lacks_types, seed_shapes, seed_types
from onnx_ir_capture.torchscript._tracing import WRAPPER, Trace, trace
from onnx_ir_capture.torchscript._written_weights import parameters_kept

__all__ = ["Scriptable", "capture_script"]

_QUANTIZED_MODULES = "torch/ao/nn/quantized/"

Scriptable: TypeAlias = torch.nn.Module | Callable[..., object]
"""A module, function, method or ``functools.partial`` that takes tensors, or what torch.jit made of one."""


@known_caches()
def capture_script(
    model: Scriptable,
    args: object = (),
    kwargs: Mapping[str, object] | None = None,
    *,
    dynamic_axes: object = None,
    input_names: Sequence[str] | None = None,
    diagnostics: DiagnosticContext,
    eval_mode: bool = False,
) -> CapturedProgram:
    """Capture ``model`` through ``torch.jit``.

    The model, its example arguments and torch's random state are as before afterwards.

    Args:
        model: what to capture, in whichever mode it is.
        args: positional example arguments.
        kwargs: example arguments by name.
        dynamic_axes: names of varying dimensions by input name and axis; others stay as in the example.
        input_names: names of the inputs, in order, in place of those of the model's parameters.
        diagnostics: where everything is reported; a value that the trace could not follow as a warning.
        eval_mode: capture what the model computes after ``model.eval()``, whichever mode it is in.

    Raises:
        TypeError: ``model`` cannot be called, or ``args`` or ``kwargs`` is no collection of arguments.
        CaptureError: the arguments or ``dynamic_axes`` do not fit, or the model raises.
    """
    if isinstance(model, torch.jit.ScriptModule | torch.jit.ScriptFunction):
        return capture_scripted(
            model,
            args,
            kwargs,
            diagnostics=diagnostics,
            eval_mode=eval_mode,
            dynamic_axes=dynamic_axes,
            input_names=input_names,
        )
    module = as_module(model)
    signature = forward_signature(module)
    stage = diagnostics.child()
    positional, keywords = checked_arguments(module, signature, args, kwargs, stage)
    note_training(module, eval_mode, stage)
    with model_untouched(module, owner_of(model)), onnx_export_flag():
        if eval_mode:
            for submodule in module.modules():
                submodule.training = False
        in_eval_mode = not any(submodule.training for submodule in module.modules())
        names = names_given(
            leaf_names(signature, positional, keywords),
            pytree.tree_leaves((positional, keywords)),
            input_names,
        )
        axes = named_axes(dynamic_axes, names, stage)
        positional, keywords = separate_tensors(positional, keywords, copy=True)
        try:
            # A trace runs on the weights of the model itself.
            with values_kept(module.buffers()), parameters_kept(module), attribute_writes_told(module, stage):
                traced = trace(module, positional, keywords)
        except Exception as error:
            raise capture_error(error, stage, definition_of(module)) from error
        check_results(traced.results, stage, definition_of(module))
        _report_fixed(traced, stage)
        program = _import_trace(traced, names, axes, module, stage)
    return dataclasses.replace(program, in_eval_mode=in_eval_mode)


def _report_fixed(traced: Trace, diagnostics: DiagnosticContext) -> None:
    """Report the values that the trace could not follow, each line once."""
    seen: set[tuple[str, int]] = set()
    for warning in traced.fixed:
        if _QUANTIZED_MODULES in Path(warning.filename).as_posix():
            continue  # scale and zero point, which are buffers
        place = (warning.filename, warning.lineno)
        if place not in seen:
            seen.add(place)
            reason = str(warning.message).split(". ")[0].strip()
            diagnostics.report(TRACED_VALUE, location=Location.at(*place), reason=reason)


def _kind(path: str, module: torch.nn.Module) -> WeightKind:
    """What stands at a path of the model; what is not its own is a constant."""
    owner, _, last = path.rpartition(".")
    try:
        found = module.get_submodule(owner)
    except AttributeError:
        return WeightKind.CONSTANT
    if last in found._parameters:
        return WeightKind.PARAMETER
    if last in found._buffers:
        is_kept = last not in found._non_persistent_buffers_set
        return WeightKind.BUFFER if is_kept else WeightKind.TRANSIENT_BUFFER
    return WeightKind.CONSTANT


def _import_trace(
    traced: Trace,
    names: Sequence[str],
    dynamic_axes: Mapping[str, Mapping[int, str]],
    module: torch.nn.Module,
    diagnostics: DiagnosticContext,
) -> CapturedProgram:
    stage = diagnostics.child()
    record = traced.recorded
    graph = ir.Graph([], [], nodes=[], name="main_graph")
    importer = ScriptImporter(graph, record.module, stage, WRAPPER)
    parameters = iter(list(record.graph.inputs())[0 if record.module is None else 1 :])
    inputs: list[InputSpec] = []
    for leaf, name in zip(traced.leaves, names, strict=True):
        if not isinstance(leaf, torch.Tensor):
            inputs.append(InputSpec(name, None, constant_of(leaf)))
            continue
        axes = dynamic_axes.get(name, {})
        value = typed_value(leaf, importer.unique_name(name))
        value.shape = ir.Shape([axes.get(axis, size) for axis, size in enumerate(leaf.shape)])
        graph.inputs.append(value)
        importer.bind(next(parameters), value)
        inputs.append(named_input(name, value))
    importer.is_sized = not any(dynamic_axes.values()) and has_fixed_sizes(record.graph)
    importer.tensors = {
        parameter.debugName(): weight
        for weight, parameter in zip(record.weights.items(), parameters, strict=True)
    }
    results = importer.run(record.graph)
    outputs = _outputs(graph, importer, traced, results)
    if not stage.has_errors:  # else there are calls that nothing runs
        examples = [leaf for leaf in traced.leaves if isinstance(leaf, torch.Tensor)]
        if lacks_types(graph):
            seed_types(graph, examples)
        if lacks_sizes(graph):
            seed_shapes(graph, examples)
        report_squeezed_dimensions(graph, stage)
    weights = {name: _kind(path, module) for name, path in importer.weight_paths.items()}
    report_renamed(importer.weight_paths, weights, stage)
    return CapturedProgram(
        model=ir.Model(graph, ir_version=10),
        inputs=tuple(inputs),
        outputs=outputs,
        weights=weights,
        dimensions=dimensions_of(graph),
        route="torch.jit",
        input_tree=traced.input_tree,
        output_tree=traced.output_tree,
        is_whole=not stage.has_errors,
    )


def _outputs(
    graph: ir.Graph, importer: ScriptImporter, traced: Trace, results: Sequence[ir.Value]
) -> tuple[OutputSpec, ...]:
    flat: list[ir.Value] = []
    for result in results:
        members = items_of(result)
        flat.extend([result] if members is None else filter(None, members))
    values = iter(flat)
    specs = []
    for leaf in traced.results:
        if not isinstance(leaf, torch.Tensor):
            specs.append(OutputSpec(None, constant_of(leaf)))
            continue
        value = importer.as_output(next(values))
        graph.outputs.append(value)
        specs.append(OutputSpec(value))
    return tuple(specs)
