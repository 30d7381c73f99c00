"""An ``ExportedProgram`` as a captured program."""

from __future__ import annotations

import onnx_ir as ir
import torch
from torch.export.graph_signature import InputKind, InputSpec, OutputKind

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture import program as captured
from onnx_ir_capture.dialect import (
    Aliases,
    GraphBuilder,
    OpName,
    is_constant,
    is_literal,
    mark_exact,
    scalar_type,
    share_memory,
)
from onnx_ir_capture.fx._aliasing import StorageOracle
from onnx_ir_capture.fx._dimensions import Dimensions
from onnx_ir_capture.fx._graph import GraphImporter, Imported
from onnx_ir_capture.fx._input_names import wanted_names
from onnx_ir_capture.fx._sources import source_of
from onnx_ir_capture.fx._symbols import range_of
from onnx_ir_capture.fx._values import UntypedError, constant_of, element_type, is_symbolic, typed_value
from onnx_ir_capture.fx._weights import report_renamed, view_key, weight_tensor
from onnx_ir_capture.lowering import source_location
from onnx_ir_capture.rules import UNSUPPORTED_CONSTRUCT

__all__ = ["import_exported_program"]

_KINDS = {
    InputKind.PARAMETER: captured.WeightKind.PARAMETER,
    InputKind.BUFFER: captured.WeightKind.BUFFER,
    InputKind.CONSTANT_TENSOR: captured.WeightKind.CONSTANT,
}


# Outputs of a functional program that are no results, but the last values of what it was given.
_STATE = frozenset([OutputKind.BUFFER_MUTATION, OutputKind.USER_INPUT_MUTATION])
_COPY = OpName("aten", "copy_")

_REFUSED = {
    InputKind.CUSTOM_OBJ: "it is a script object, of which ONNX knows nothing",
    InputKind.TOKEN: "it orders effects, such as printing, which an ONNX model cannot have",
}


def import_exported_program(
    exported: torch.export.ExportedProgram,
    diagnostics: DiagnosticContext,
    dimensions: Dimensions | None = None,
) -> captured.CapturedProgram:
    """Import a program as torch.export left it, or as the user decomposed it. It is not changed.

    Args:
        exported: the program.
        diagnostics: gets a finding for every construct that the dialect has no form for.
        dimensions: names and ranges of the dynamic dimensions; by default torch's symbols.
    """
    return _ProgramImport(exported, diagnostics, dimensions or Dimensions()).run()


class _ProgramImport:
    def __init__(
        self, exported: torch.export.ExportedProgram, diagnostics: DiagnosticContext, dimensions: Dimensions
    ) -> None:
        self._exported = exported
        self._dimensions = dimensions
        self._diagnostics = diagnostics = diagnostics.child()
        self._graph = ir.Graph([], [], nodes=[], name="main_graph")
        self._builder = GraphBuilder(self._graph)
        oracle = StorageOracle(exported.graph_module)
        if oracle.is_trusted:
            mark_exact(self._graph)
        self._importer = GraphImporter(self._builder, diagnostics, dimensions, oracle=oracle)
        self._env: dict[torch.fx.Node, Imported] = {}
        self._inputs: list[captured.InputSpec] = []
        self._wanted = wanted_names(exported)
        self._weights: dict[str, captured.WeightKind] = {}
        self._paths: dict[str, str] = {}
        self._by_storage: dict[tuple[object, ...], ir.Value] = {}
        self._in_storage: dict[object, ir.Value] = {}

    def run(self) -> captured.CapturedProgram:
        module, signature = self._exported.graph_module, self._exported.graph_signature
        placeholders = [node for node in module.graph.nodes if node.op == "placeholder"]
        # The caller's own names go before those of weights: forward(x) of a module with a parameter x has an
        # input x.
        names = {
            node: self._importer.unique_name(node.name)
            for node, spec in zip(placeholders, signature.input_specs, strict=True)
            if spec.kind == InputKind.USER_INPUT
        }
        for node, spec in zip(placeholders, signature.input_specs, strict=True):
            if spec.kind == InputKind.USER_INPUT:
                self._user_input(node, names[node])
            elif spec.kind in _KINDS:
                self._weight(node, spec)
            else:
                self._refuse_input(node, _REFUSED.get(spec.kind, spec.kind.name))
        result = self._importer.run(module, self._env)
        outputs = self._outputs(result)
        self._write_state(result)
        for name in self._graph.initializers:
            self._weights.setdefault(str(name), captured.WeightKind.CONSTANT)
        report_renamed(self._paths, self._weights, self._diagnostics)
        self._rename_unnamed()
        model = ir.Model(self._graph, ir_version=10)
        return captured.CapturedProgram(
            model=model,
            inputs=tuple(self._inputs),
            outputs=outputs,
            weights=self._weights,
            dimensions=self._dimensions.ranges or _ranges(self._exported),
            route="torch.export",
            input_tree=self._exported.call_spec.in_spec,
            output_tree=self._exported.call_spec.out_spec,
            origin=self._exported,
            symbols=self._dimensions,
            is_whole=not self._diagnostics.has_errors,
        )

    def _user_input(self, node: torch.fx.Node, name: str) -> None:
        fake = node.meta.get("val")
        if isinstance(fake, torch.Tensor) or is_symbolic(fake):
            try:
                value = typed_value(fake, name, self._dimensions.rename)
            except UntypedError as error:
                self._refuse_input(node, str(error))
                return
            self._graph.inputs.append(value)
            self._env[node] = value
            wanted = self._wanted[len(self._inputs)] if len(self._inputs) < len(self._wanted) else None
            self._inputs.append(captured.InputSpec(name, value, wanted=None if wanted == name else wanted))
            return
        literal = constant_of(fake)
        self._env[node] = self._builder.constant(literal)
        self._inputs.append(captured.InputSpec(name, None, literal))

    def _weight(self, node: torch.fx.Node, spec: InputSpec) -> None:
        target = spec.target or node.name
        kind = _KINDS[spec.kind]
        if kind is captured.WeightKind.BUFFER and spec.persistent is False:
            kind = captured.WeightKind.TRANSIENT_BUFFER
        tensor = self._tensor(target)
        if torch._C._functorch.is_functorch_wrapped_tensor(tensor):
            self._refuse_input(node, "it stands for a tensor inside of a transform of torch.func")
            return
        try:
            element_type(tensor.dtype)
        except UntypedError as error:
            self._refuse_input(node, str(error))
            return
        key = view_key(tensor)
        if key not in self._by_storage:
            weight = self._by_storage[key] = self._initializer(target, tensor)
            self._weights[str(weight.name)] = kind
            self._paths[str(weight.name)] = target
            other = self._in_storage.setdefault(key[0], weight)
            if other is not weight:
                share_memory(other, weight)
        self._env[node] = self._by_storage[key]

    def _refuse_input(self, node: torch.fx.Node, reason: str) -> None:
        """Note an input that is no tensor and no number, and go on with a stand-in of no known kind."""
        self._diagnostics.report(
            UNSUPPORTED_CONSTRUCT,
            location=source_location(source_of(node), node.name),
            construct=f"input {node.name!r} of the program",
            reason=reason,
            advice="give the model tensors and numbers only, and have effects outside of it",
        )
        name = self._importer.unique_name(node.name)
        stand_in = ir.Value(name=name, type=scalar_type("object"), shape=ir.Shape(()))
        self._builder.call(OpName(captured.UNSUPPORTED, "input"), [], [stand_in])
        self._env[node] = stand_in

    def _tensor(self, target: str) -> torch.Tensor:
        stored = self._exported.state_dict.get(target)
        tensor = stored if stored is not None else self._exported.constants.get(target)
        if not isinstance(tensor, torch.Tensor):
            raise TypeError(f"the program's weight {target!r} is a {type(tensor).__qualname__}, no tensor")
        return tensor

    def _initializer(self, target: str, tensor: torch.Tensor) -> ir.Value:
        name = self._importer.unique_name(target)
        value = typed_value(tensor, name)
        value.const_value = weight_tensor(tensor, name)
        self._graph.register_initializer(value)
        return value

    def _rename_unnamed(self) -> None:
        """Rename what onnx_ir called ``val_0``, ``val_1`` … where the program has such a name of its own."""
        # The builder makes literals without a name.
        for output in (output for node in self._graph if is_literal(node) for output in node.outputs):
            if self._importer.is_taken(output.name or ""):
                output.name = self._importer.unique_name(f"constant_{output.name}")

    def _outputs(self, result: torch.fx.node.Argument) -> tuple[captured.OutputSpec, ...]:
        if not isinstance(result, list | tuple):
            raise TypeError(f"the program's output is a {type(result).__name__}, no tuple")
        specs = self._exported.graph_signature.output_specs
        outputs = [
            self._output(item)
            for item, spec in zip(result, specs, strict=True)
            if spec.kind == OutputKind.USER_OUTPUT
        ]
        return tuple(outputs)

    def _write_state(self, result: torch.fx.node.Argument) -> None:
        """Write what a functional program gives as the last values of its buffers and inputs."""
        signature = self._exported.graph_signature
        nodes = {node.name: node for node in self._exported.graph.nodes if node.op == "placeholder"}
        items = result if isinstance(result, list | tuple) else ()
        for item, spec in zip(items, signature.output_specs, strict=True):
            if spec.kind not in _STATE or not isinstance(item, torch.fx.Node):
                continue
            arguments = {given.target: given.arg.name for given in signature.input_specs if given.target}
            target = nodes[arguments.get(spec.target, spec.target)]
            written, value = self._env[target], self._env[item]
            if not isinstance(written, ir.Value) or not isinstance(value, ir.Value):
                raise TypeError(f"the program changes {spec.target}, which is no tensor")
            output = typed_value(target.meta["val"], self._importer.unique_name(f"{item.name}_kept"))
            inputs = [written, value, self._builder.constant(False)]
            self._builder.call(_COPY, inputs, [output], Aliases((0,), ((0, 0),)), source_of(item))

    def _output(self, item: object) -> captured.OutputSpec:
        if not isinstance(item, torch.fx.Node):
            literal = constant_of(item)
            if literal is None or isinstance(literal, str):
                return captured.OutputSpec(None, literal)
            constant = self._builder.constant(literal)
            output = self._builder.identity(constant, self._importer.unique_name("constant_output"))
            self._graph.outputs.append(output)
            return captured.OutputSpec(output)
        value = self._env[item]
        if not isinstance(value, ir.Value):
            raise TypeError(f"output {item.name} of the program is a list of values")
        if value.producer() is None or value.is_graph_output() or is_constant(value):
            value = self._builder.identity(value, self._importer.unique_name(f"{value.name}_output"))
        self._graph.outputs.append(value)
        return captured.OutputSpec(value)


def _ranges(exported: torch.export.ExportedProgram) -> dict[str, captured.DimensionRange]:
    """Bounds of the program's symbolic integers; those of floats bound no dimension."""
    return {
        str(symbol): range_of(interval)
        for symbol, interval in exported.range_constraints.items()
        if interval.is_int
    }
