"""From lowered graph to finished model: clean-up, names, types and the checker."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NoReturn

import numpy as np
import onnx
import onnx_ir as ir
from onnx_ir.passes import common

from onnx_diagnostics import ConversionError, DiagnosticContext, ExporterInternalError
from onnx_export.__about__ import __version__
from onnx_export._file_version import first_ir_version
from onnx_export._function_checks import calls_of, invalid_function
from onnx_export._identities import RemoveIdentities
from onnx_export._name_checks import graph_names
from onnx_export._names import name_graph
from onnx_export._state import name_state
from onnx_export._tensor_bytes import unreadable
from onnx_export.rules import INVALID_MODEL, NO_OUTPUTS
from onnx_ir_capture.lowering import report_custom_fault
from onnx_ir_capture.program import CapturedProgram
from onnx_jitpasses.pipeline import StateUpdate

__all__ = ["PRODUCER", "check", "check_outputs", "clean", "finish", "optimize"]

PRODUCER = "onnx-export"
"""Who wrote a file, as the file says."""


def check_outputs(
    program: CapturedProgram, diagnostics: DiagnosticContext, state: Sequence[StateUpdate] = ()
) -> None:
    """Refuse a program that gives no tensor and no number, and no ``state`` either.

    Raises:
        ConversionError: it does.
    """
    if state or any(spec.value is not None for spec in program.outputs):
        return
    returned = ", ".join(repr(spec.literal) for spec in program.outputs) or "no tensor"
    diagnostics.report(NO_OUTPUTS, returned=returned)
    raise ConversionError("the model has no outputs", diagnostics.errors)


def clean(model: ir.Model) -> None:
    """Drop what nothing uses, and Identity nodes that only pass a value on."""
    ir.passes.Sequential(
        RemoveIdentities(),
        common.OutputFixPass(),  # a value may be an output once, and an input none
        common.RemoveUnusedNodesPass(),
        common.TopologicalSortPass(),
    )(model)


def optimize(model: ir.Model, *, use_onnxscript: bool = False) -> None:
    """Write what is computed twice once, and drop what nothing uses. Weights keep their names.

    Args:
        model: the model, changed in place.
        use_onnxscript: let onnxscript's optimizer go first: it folds constants and fuses nodes, and with that
            may compute small weights into others.
    """
    if use_onnxscript:
        from onnxscript import optimizer  # takes a second to load, and is seldom wanted

        optimizer.optimize_ir(model)
    common.CommonSubexpressionEliminationPass()(model)
    clean(model)


def finish(
    model: ir.Model,
    program: CapturedProgram,
    input_names: Sequence[str] | None = None,
    output_names: Sequence[str] | None = None,
    state: Sequence[str] = (),
) -> None:
    """Name the graph, sign the file, and infer the types and shapes that lowering left open.

    Args:
        model: the model, changed in place.
        program: what it was lowered from; gives the names that are not asked for.
        input_names: names of the first inputs.
        output_names: names of the first outputs.
        state: what the captured program calls the last outputs, and the inputs that belong to them; see
            :mod:`._state`.

    Raises:
        ValueError: a name is given twice, or to something that does not exist.
    """
    # A value may be an output once, and an input none, or one of its names would be lost.
    common.OutputFixPass()(model)
    graph = model.graph
    captured = [str(spec.value.name) for spec in program.inputs if spec.value is not None]
    inputs = [spec.name for spec in program.inputs if spec.value is not None]
    outputs = [str(spec.value.name) for spec in program.outputs if spec.value is not None]
    weights = [*graph.initializers, *(name for name in state if name not in captured)]
    inputs, outputs = graph_names(weights, inputs, outputs, input_names, output_names)
    outputs += name_state(
        model, state, dict(zip(captured, inputs, strict=True)), {*inputs, *outputs, *weights}
    )
    inputs += [name for name in state if name in program.weights]
    name_graph(graph, inputs, outputs)
    model.producer_name, model.producer_version = PRODUCER, __version__
    model.ir_version = max(model.ir_version, first_ir_version(model))
    if any(value.type is None or value.shape is None for node in graph.all_nodes() for value in node.outputs):
        with _stand_ins(model):
            common.ShapeInferencePass(check_type=True, strict_mode=True)(model)


def check(model: ir.Model, diagnostics: DiagnosticContext) -> None:
    """Run onnx.checker in full: schema, types and strict shape inference of every node.

    Raises:
        ConversionError: a node is not valid that a translation of the caller's own made.
        ExporterInternalError: the model is not valid, which no model of the user's may cause.
    """
    found = invalid_function(model)
    if found is not None:
        function, reason = found
        fault = ValueError(f"the function {function.name} is not valid: {reason}")
        _raise_custom_fault(calls_of(model, function), fault, diagnostics)
        _raise_invalid(fault, diagnostics)
    try:
        with _stand_ins(model):
            common.CheckerPass(full_check=True)(model)
    except ir.passes.PassError as error:
        cause = error.__cause__ if isinstance(error.__cause__, Exception) else error
    except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError) as error:
        cause = error
    else:
        return
    rejected = _NODE.search(str(cause))
    if rejected is not None:
        named = (node for node in _all_nodes(model) if node.name == rejected[1])
        _raise_custom_fault(named, cause, diagnostics)
    _raise_invalid(cause, diagnostics)


def _raise_custom_fault(nodes: Iterable[ir.Node], cause: Exception, diagnostics: DiagnosticContext) -> None:
    for node in nodes:
        if report_custom_fault(node, cause, diagnostics):
            raise ConversionError("a custom translation is at fault", diagnostics.errors) from cause


def _raise_invalid(cause: Exception, diagnostics: DiagnosticContext) -> NoReturn:
    diagnostics.report(INVALID_MODEL, reason=str(cause))
    raise ExporterInternalError(
        "the exported model does not pass onnx.checker", diagnostics.errors
    ) from cause


def _all_nodes(model: ir.Model) -> Iterator[ir.Node]:
    yield from model.graph.all_nodes()
    for function in model.functions.values():
        yield from function.all_nodes()


# How onnx.checker and onnx's shape inference name the node that they reject.
_NODE = re.compile(r"\b(?:node name|Name): ([^\s)]+)")


@contextlib.contextmanager
def _stand_ins(model: ir.Model) -> Iterator[None]:
    """Zeros for the weights that have no values yet, since onnx sees small ones as part of the model."""
    weights = [
        (value, value.const_value)
        for value in model.graph.initializers.values()
        if value.const_value is not None and unreadable(value.const_value)
    ]
    try:
        for value, tensor in weights:
            value.const_value = _zeros(tensor)
        yield
    finally:
        for value, tensor in weights:
            value.const_value = tensor


def _zeros(tensor: ir.TensorProtocol) -> ir.LazyTensor:
    shape = ir.Shape(int(size) for size in tensor.shape.numpy())

    def make() -> ir.TensorProtocol:
        return ir.Tensor(np.zeros(shape.numpy(), tensor.dtype.numpy()), dtype=tensor.dtype)

    return ir.LazyTensor(make, dtype=tensor.dtype, shape=shape, name=tensor.name)
