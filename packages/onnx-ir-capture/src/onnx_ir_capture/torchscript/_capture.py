"""Capture of a model through TorchScript."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import onnx_ir as ir
import torch

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.dialect import GraphBuilder
from onnx_ir_capture.fx._arguments import normalize_arguments
from onnx_ir_capture.fx._callables import as_module, forward_signature, owner_of
from onnx_ir_capture.fx._guard import model_untouched, onnx_export_flag
from onnx_ir_capture.fx._values import constant_of, typed_value
from onnx_ir_capture.program import CapturedProgram, DimensionRange, InputSpec, OutputSpec, WeightKind
from onnx_ir_capture.torchscript._graph import ScriptImporter
from onnx_ir_capture.torchscript._inputs import leaf_names
from onnx_ir_capture.torchscript._seeding import seed_shapes, seed_types
from onnx_ir_capture.torchscript._tracing import WRAPPER, Trace, trace

__all__ = ["Scriptable", "capture_script"]

Scriptable: TypeAlias = torch.nn.Module
"""A module, which is traced."""


def capture_script(
    model: torch.nn.Module,
    args: object = (),
    kwargs: Mapping[str, object] | None = None,
    *,
    dynamic_axes: Mapping[str, Mapping[int, str]] | None = None,
    input_names: Sequence[str] = (),
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
        diagnostics: where everything is reported.
        eval_mode: capture what the model computes after ``model.eval()``, whichever mode it is in.
    """
    module = as_module(model)
    signature = forward_signature(module)
    positional, keywords = normalize_arguments(signature, args, kwargs)
    with model_untouched(module, owner_of(model)), onnx_export_flag():
        if eval_mode:
            for submodule in module.modules():
                submodule.training = False
        names = leaf_names(signature, positional, keywords)
        traced = trace(module, positional, keywords)
        return _import_trace(traced, names, input_names, dynamic_axes or {}, diagnostics)


def _import_trace(
    traced: Trace,
    names: Sequence[str],
    input_names: Sequence[str],
    dynamic_axes: Mapping[str, Mapping[int, str]],
    diagnostics: DiagnosticContext,
) -> CapturedProgram:
    stage = diagnostics.child()
    source = traced.module.inlined_graph
    graph = ir.Graph([], [], nodes=[], name="main_graph")
    importer = ScriptImporter(GraphBuilder(graph), traced.module._c, stage, WRAPPER)
    parameters = iter(list(source.inputs())[1:])
    given = iter(input_names)
    inputs: list[InputSpec] = []
    for leaf, own_name in zip(traced.leaves, names, strict=True):
        if not isinstance(leaf, torch.Tensor):
            inputs.append(InputSpec(own_name, None, constant_of(leaf)))
            continue
        name = next(given, own_name)
        axes = dynamic_axes.get(name, {})
        value = typed_value(leaf, importer.unique_name(name))
        value.shape = ir.Shape([axes.get(axis, size) for axis, size in enumerate(leaf.shape)])
        graph.inputs.append(value)
        importer.bind(next(parameters), value)
        inputs.append(InputSpec(name, value))
    results = importer.run(source)
    outputs = _outputs(graph, importer, traced, results)
    examples = [leaf for leaf in traced.leaves if isinstance(leaf, torch.Tensor)]
    seed_types(graph, examples)
    seed_shapes(graph, examples)
    return CapturedProgram(
        model=ir.Model(graph, ir_version=10),
        inputs=tuple(inputs),
        outputs=outputs,
        weights=dict.fromkeys(map(str, graph.initializers), WeightKind.PARAMETER),
        dimensions=_dimensions(graph),
        route="torch.jit",
        input_tree=traced.input_tree,
        output_tree=traced.output_tree,
        is_whole=not stage.has_errors,
        in_eval_mode=False,
    )


def _outputs(
    graph: ir.Graph, importer: ScriptImporter, traced: Trace, results: Sequence[ir.Value]
) -> tuple[OutputSpec, ...]:
    flat: list[ir.Value] = []
    for result in results:
        node = result.producer()
        members = node.inputs if node is not None and node.op_type == "TupleConstruct" else [result]
        flat.extend(member for member in members if member is not None)
    values = iter(flat)
    specs = []
    for leaf in traced.results:
        if not isinstance(leaf, torch.Tensor):
            specs.append(OutputSpec(None, constant_of(leaf)))
            continue
        value = next(values)
        if value.producer() is None or value.is_graph_output():
            value = importer._builder.identity(value, importer.unique_name(f"{value.name}_output"))
        graph.outputs.append(value)
        specs.append(OutputSpec(value))
    return tuple(specs)


def _dimensions(graph: ir.Graph) -> dict[str, DimensionRange]:
    shapes = [value.shape for value in graph.inputs if value.shape is not None]
    names = [str(size.value) for shape in shapes for size in shape if isinstance(size, ir.SymbolicDim)]
    return dict.fromkeys(names, DimensionRange(0, None))
