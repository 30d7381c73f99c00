"""Capture of TorchScript code: script modules and functions, and what an archive holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import onnx_ir as ir
import torch
from torch.utils import _pytree as pytree

from onnx_diagnostics import CaptureError, DiagnosticContext
from onnx_ir_capture.dialect import is_plain_tensor, scalar_type
from onnx_ir_capture.fx._arguments import check_arguments, normalize_arguments, separate_tensors
from onnx_ir_capture.fx._values import constant_of, typed_value
from onnx_ir_capture.fx._weights import report_renamed
from onnx_ir_capture.interpreter import InterpreterError
from onnx_ir_capture.lowering import location_of
from onnx_ir_capture.program import CapturedProgram, InputSpec, OutputSpec, WeightKind
from onnx_ir_capture.rules import FORWARD_RAISED, INVALID_ARGUMENTS, ITEMS_FIXED, UNSUPPORTED_CONSTRUCT
from onnx_ir_capture.torchscript._archives import archive_of
from onnx_ir_capture.torchscript._graph import ScriptImporter
from onnx_ir_capture.torchscript._inputs import (
    dimensions_of,
    leaf_names,
    named_axes,
    named_input,
    names_given,
)
from onnx_ir_capture.torchscript._known_pieces import take_pieces_apart
from onnx_ir_capture.torchscript._script_arguments import (
    Leaf,
    bind_leaves,
    misfit,
    schema_signature,
    value_kind,
)
from onnx_ir_capture.torchscript._script_code import Code, Scripted, code_of, weight_sets
from onnx_ir_capture.torchscript._script_results import import_results
from onnx_ir_capture.torchscript._script_state import begin_state, end_state
from onnx_ir_capture.torchscript._script_types import seed_script_types
from onnx_ir_capture.torchscript._seeding import seed_shapes
from onnx_ir_capture.torchscript._values import argument_constant, dialect_type_of

__all__ = ["capture_scripted"]


def capture_scripted(
    model: Scripted,
    args: object,
    kwargs: Mapping[str, object] | None,
    *,
    dynamic_axes: object,
    input_names: Sequence[str] | None,
    diagnostics: DiagnosticContext,
    eval_mode: bool,
) -> CapturedProgram:
    """Capture scripted code; the arguments are those of :func:`capture_script`.

    Numbers among the arguments are inputs of the graph: a branch on one is taken at run time.

    Raises:
        TypeError: ``args`` or ``kwargs`` is no collection of arguments.
        CaptureError: the arguments or ``dynamic_axes`` do not fit, or the model raises.
    """
    stage = diagnostics.child()
    code = code_of(model, eval_mode)
    signature = schema_signature(code.formals)
    positional, keywords = normalize_arguments(signature, args, kwargs)
    reason = check_arguments(signature, positional, keywords)
    if reason:
        raise _misfit(reason, stage)
    positional, keywords = separate_tensors(positional, keywords, copy=True)
    leaves, bound = bind_leaves(code.formals, signature, positional, keywords)
    reason = misfit(leaves, bound, code.formals)
    if reason:
        raise _misfit(reason, stage)
    own = leaf_names(signature, positional, keywords)
    names = names_given(own, [leaf.value for leaf in leaves], input_names)
    axes = named_axes(dynamic_axes, names, stage)
    imported = _Import(code, stage)
    imported.importer.archive = archive_of(model)
    inputs = imported.inputs(leaves, names, axes)
    outputs, output_tree = imported.body(bound)
    kinds = _weight_kinds(imported.importer, model)
    report_renamed(imported.importer.weight_paths, kinds, stage)
    if not stage.has_errors:
        given = [leaf.value for leaf, spec in zip(leaves, inputs, strict=True) if spec.value is not None]
        _seed(imported.graph, given, kinds, stage)
        _seed_sizes(imported.graph, given)
        take_pieces_apart(imported.graph)
    return CapturedProgram(
        model=ir.Model(imported.graph, ir_version=10),
        inputs=tuple(inputs),
        outputs=outputs,
        weights=kinds,
        dimensions=dimensions_of(imported.graph),
        route="torch.jit",
        input_tree=pytree.tree_structure((tuple(positional), dict(keywords))),
        output_tree=output_tree,
        is_whole=not stage.has_errors,
        in_eval_mode=code.in_eval_mode,
    )


class _Import:
    """The import of one graph: inputs, then nodes and outputs."""

    def __init__(self, code: Code, diagnostics: DiagnosticContext) -> None:
        self.graph = ir.Graph([], [], nodes=[], name="main_graph")
        self.importer = ScriptImporter(self.graph, code.module, diagnostics)
        self._code = code
        self._diagnostics = diagnostics
        self._specs: list[InputSpec] = []

    def inputs(
        self, leaves: Sequence[Leaf], names: Sequence[str], axes: Mapping[str, Mapping[int, str]]
    ) -> list[InputSpec]:
        """Make the inputs: one of each tensor and number among the leaves; others are constants."""
        for leaf, name in zip(leaves, names, strict=True):
            value = self._input(leaf, name, axes.get(name, {}))
            if value is None:
                self._specs.append(InputSpec(name, None, constant_of(leaf.value)))
                continue
            self.graph.inputs.append(value)
            self._specs.append(named_input(name, value))
        return self._specs

    def _input(self, leaf: Leaf, name: str, axes: Mapping[int, str]) -> ir.Value | None:
        if isinstance(leaf.value, torch.Tensor):
            value = typed_value(leaf.value, self.importer.unique_name(name))
            value.shape = ir.Shape([axes.get(axis, size) for axis, size in enumerate(leaf.value.shape)])
            return value
        if not leaf.scalar:
            return None
        return ir.Value(
            name=self.importer.unique_name(name), type=scalar_type(leaf.scalar), shape=ir.Shape(())
        )

    def body(self, bound: Mapping[str, object]) -> tuple[tuple[OutputSpec, ...], pytree.TreeSpec]:
        """Import the graph for the arguments by name; return its outputs and their structure."""
        importer, graph, module = self.importer, self._code.graph, self._code.module
        for parameter, formal in zip(self._code.parameters, self._code.formals, strict=True):
            self._bind(parameter, bound[formal.name], formal)
        state = {} if module is None else begin_state(importer, graph, module)
        importer.nodes(graph)
        results = import_results(importer, self.graph, list(graph.outputs()))
        end_state(importer, state)
        return results

    def _bind(self, parameter: torch._C.Value, given: object, formal: torch._C.Argument) -> None:
        if isinstance(given, dict):
            self.importer.dicts[parameter.debugName()] = {
                key: self._value(item, value_kind(formal.type)) for key, item in given.items()
            }
            self._report_items(formal.name, len(given))
            return
        if isinstance(given, list):
            self._report_items(formal.name, len(given))
        if not isinstance(given, Leaf | list | tuple):
            given = argument_constant(given, formal.real_type)
        self.importer.bind(parameter, self._value(given, formal.type))

    def _report_items(self, name: str, count: int) -> None:
        self._diagnostics.report(ITEMS_FIXED, name=name, count=count)

    def _value(self, given: object, kind: torch._C.JitType) -> ir.Value:
        """What stands for an argument: an input, a constant, or a list or tuple of those."""
        while isinstance(kind, torch._C.OptionalType):
            kind = kind.getElementType()
        if isinstance(given, Leaf):
            spec = self._specs[given.position]
            return self.importer.plain(given.value, kind) if spec.value is None else spec.value
        if isinstance(given, tuple) and isinstance(kind, torch._C.TupleType):
            pairs = zip(given, kind.elements(), strict=True)
            return self.importer.builder.tuple([self._value(item, element) for item, element in pairs])
        if isinstance(given, list | tuple) and isinstance(kind, torch._C.ListType):
            element = kind.getElementType()
            items = [self._value(item, element) for item in given]
            return self.importer.builder.list(items, dialect_type_of(element))
        return self.importer.plain(given, kind)


def _misfit(reason: str, diagnostics: DiagnosticContext) -> CaptureError:
    diagnostics.report(INVALID_ARGUMENTS, reason=reason)
    return CaptureError("the model could not be captured", diagnostics.errors)


def _weight_kinds(importer: ScriptImporter, model: Scripted) -> dict[str, WeightKind]:
    parameters, buffers = weight_sets(model)
    kinds: dict[str, WeightKind] = {}
    for name, path in importer.weight_paths.items():
        if path in parameters:
            kinds[name] = WeightKind.PARAMETER
        else:
            kinds[name] = WeightKind.BUFFER if path in buffers else WeightKind.CONSTANT
    return kinds


def _seed_sizes(graph: ir.Graph, given: Sequence[object]) -> None:
    """Give the values their sizes, where these follow from those of the inputs alone."""
    takes_tensors = all(is_plain_tensor(value.type) for value in graph.inputs)
    if not takes_tensors or any(node.op_type == "SetAttr" for node in graph.all_nodes()):
        return
    of_any_rank = [value for node in graph for value in node.outputs if value.shape is None]
    seed_shapes(graph, given)
    for value in of_any_rank:
        value.shape = None


def _seed(
    graph: ir.Graph, given: Sequence[object], kinds: Mapping[str, WeightKind], diagnostics: DiagnosticContext
) -> None:
    fixed = frozenset(name for name, kind in kinds.items() if kind is not WeightKind.CONSTANT)
    try:
        for name in seed_script_types(graph, given, fixed):
            diagnostics.report(
                UNSUPPORTED_CONSTRUCT,
                construct=f"the attribute {name}",
                reason="a run leaves a tensor of another rank in it, and an input of a file has one rank",
                advice="let it have the same number of dimensions from the beginning, be it empty or not",
            )
    except InterpreterError as error:
        cause = error.__cause__ or error
        diagnostics.report(
            FORWARD_RAISED,
            location=location_of(error.node),
            error=type(cause).__name__,
            reason=" ".join(str(cause).split()),
            advice="check that the model runs on the example arguments outside of the export",
        )
        raise CaptureError("the model could not be captured", diagnostics.errors) from error
