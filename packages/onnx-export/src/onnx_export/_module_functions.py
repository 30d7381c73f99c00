"""Calls of modules as calls of functions that the file holds: equal bodies are one function."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

import onnx_ir as ir

from onnx_diagnostics import DiagnosticContext, Location
from onnx_export._module_groups import (
    NodeOrder,
    blocks_in,
    heights_of,
    members_of,
    with_blocks,
)
from onnx_export._module_structure import Structure, structure_of
from onnx_export._names import name_function
from onnx_export.rules import MODULE_INLINE
from onnx_ir_capture.dialect import ModuleCall, free_name
from onnx_ir_capture.emit import constant_tensor
from onnx_ir_capture.lowering import module_calls, set_module_calls

__all__ = ["outline_modules"]

# The first IR version whose models hold functions.
_FIRST_IR_VERSION = 8


def outline_modules(
    model: ir.Model,
    wanted: Callable[[ModuleCall], bool],
    value_map: Mapping[ir.Value, ir.Value],
    diagnostics: DiagnosticContext,
) -> Mapping[ir.Value, ir.Value]:
    """Move what calls of modules compute into functions of ``model``, and put calls of these in its place.

    A function is named after the module's class, its domain after the Python module that defines the class.
    It gets the weights as inputs, so that calls with the same nodes share one; where two bodies of a class
    differ, the second gets a number. Calls inside of wanted calls are calls inside of functions.

    Args:
        model: a lowered model, changed in place.
        wanted: whether a call becomes one of a function.
        value_map: for each captured value that of ``model`` that holds it.
        diagnostics: gets a note for each call that cannot.

    Returns:
        ``value_map`` without the values that are inside of functions now.
    """
    outliner = _Outliner(model, diagnostics)
    heights = heights_of(model.graph, wanted)
    for height in range(max(heights.values(), default=-1) + 1):
        found = members_of(model.graph, wanted)
        groups = [
            _Group(place.graph, place.calls[-1], nodes)
            for place, nodes in found.items()
            if heights[place.calls] == height
        ]
        outliner.outline(groups)
    outliner.finish()
    return outliner.remaining(value_map)


class _Group(NamedTuple):
    """The nodes of one call of a module, in the order of their graph."""

    graph: ir.Graph
    call: ModuleCall
    nodes: Sequence[ir.Node]

    @property
    def values(self) -> list[ir.Value]:
        """What the nodes compute, blocks aside."""
        return [value for node in self.nodes for value in node.outputs]

    def results(self) -> set[int]:
        """Which of the values are read outside."""
        inside = set(with_blocks(self.nodes))
        return {
            index
            for index, value in enumerate(self.values)
            if value.is_graph_output() or any(use.node not in inside for use in value.uses())
        }


class _Outliner:
    def __init__(self, model: ir.Model, diagnostics: DiagnosticContext) -> None:
        self._model = model
        self._diagnostics = diagnostics
        self._functions: list[ir.Function] = []
        self._calls: set[ir.Node] = set()
        self._replaced: dict[ir.Value, ir.Value] = {}

    def outline(self, groups: Sequence[_Group]) -> None:
        """Outline groups that have no nodes in common; equal ones share a function."""
        orders = {graph: NodeOrder(graph) for graph in dict.fromkeys(group.graph for group in groups)}
        alike: dict[Hashable, list[tuple[_Group, Structure]]] = {}
        for group in groups:
            nodes = orders[group.graph].closed(group.nodes, self._is_free)
            if nodes is None:
                self._leave(group)
                continue
            structure = structure_of(nodes)
            key = (group.call.class_name, structure.key)
            alike.setdefault(key, []).append((group._replace(nodes=nodes), structure))
        for equal in alike.values():
            results = sorted(set().union(*(group.results() for group, _ in equal)))
            if results:
                self._share(equal, results, orders)

    def _is_free(self, node: ir.Node) -> bool:
        """Whether a node is of no module, as sizes are, and so may stand in any."""
        return not module_calls(node) and node not in self._calls

    def _leave(self, group: _Group) -> None:
        self._diagnostics.report(
            MODULE_INLINE,
            location=Location.named(module=group.call.path, class_name=group.call.class_name),
            module=group.call.path,
            reason="operators of other modules stand between its own, and need some of them first",
        )

    def _share(
        self,
        equal: Sequence[tuple[_Group, Structure]],
        results: Sequence[int],
        orders: Mapping[ir.Graph, NodeOrder],
    ) -> None:
        """Let one function, made of the first group that can be moved, stand for equal groups."""
        function: ir.Function | None = None
        domain, name = self._identifier(equal[0][0].call.class_name)
        for group, structure in equal:
            # Groups that were moved before may have closed a circle.
            closed = orders[group.graph].closed(group.nodes, self._is_free)
            if closed is None or set(closed) != set(group.nodes):
                self._leave(group)
                continue
            operands = [self._current(value) for value in structure.operands]
            call = ir.Node(domain, name, operands, num_outputs=len(results))
            self._replace(group, call, [group.values[index] for index in results])
            orders[group.graph].replace(group.nodes, call)
            if function is None:
                read = structure._replace(operands=operands)
                function = self._function(domain, name, group, read, results)
            else:
                _detach(group.nodes)

    def _current(self, value: ir.Value) -> ir.Value:
        while value in self._replaced:
            value = self._replaced[value]
        return value

    def _identifier(self, class_name: str) -> tuple[str, str]:
        parts = [part for part in class_name.split(".") if part != "<locals>"]
        domain = ".".join(parts[:-1]) or "modules"
        taken = {name for space, name, _ in self._model.functions if space == domain}
        return domain, free_name(parts[-1], taken)

    def _replace(self, group: _Group, call: ir.Node, results: Sequence[ir.Value]) -> None:
        """Let the surroundings of ``group`` read the outputs of ``call``."""
        inside = set(with_blocks(group.nodes))
        outer = next(calls for node in group.nodes if group.call in (calls := module_calls(node)))
        set_module_calls(call, outer[: outer.index(group.call)])
        call.metadata_props["namespace"] = group.call.path
        self._calls.add(call)
        for old, new in zip(results, call.outputs, strict=True):
            new.name, new.type, new.shape = old.name, old.type, old.shape
            new.meta.update(old.meta)
            self._replaced[old] = new
            for use in [use for use in old.uses() if use.node not in inside]:
                use.node.replace_input_with(use.idx, new)
            for index, output in enumerate(group.graph.outputs):
                if output is old:
                    group.graph.outputs[index] = new

    def _function(
        self, domain: str, name: str, group: _Group, structure: Structure, results: Sequence[int]
    ) -> ir.Function:
        """The function of the nodes of ``group``, which are in no graph any more."""
        outputs = [group.values[index] for index in results]
        inputs = [ir.Value(name=_seen_from(group.call, value)) for value in structure.operands]
        constants = [_constant_node(value) for value in structure.constants]
        formal = dict(zip(structure.operands, inputs, strict=True))
        outcomes = [node.outputs[0] for node in constants]
        formal.update(zip(structure.constants, outcomes, strict=True))
        _rename_inputs(group.nodes, formal)
        for node in with_blocks(group.nodes):
            module = node.metadata_props.pop("namespace", "")
            if module != group.call.path:
                node.metadata_props["namespace"] = module.removeprefix(f"{group.call.path}.")
        _forget_types(group.nodes)
        nodes = [*constants, *group.nodes]
        imports = self._model.graph.opset_imports
        domains = dict.fromkeys(node.domain for node in with_blocks(nodes))
        graph = ir.Graph(
            inputs,
            outputs,
            nodes=nodes,
            opset_imports={"": imports[""], **{space: imports[space] for space in domains}},
            name=name,
        )
        function = ir.Function(domain, name, graph=graph, attributes=[])
        self._model.functions[function.identifier()] = function
        imports.setdefault(domain, 1)
        self._functions.append(function)
        return function

    def remaining(self, value_map: Mapping[ir.Value, ir.Value]) -> Mapping[ir.Value, ir.Value]:
        """``value_map`` with the results of calls, and without what is inside of functions."""
        graph = self._model.graph
        present = {*graph.inputs, *graph.initializers.values()}
        present.update(value for node in graph.all_nodes() for value in node.outputs)
        remaining = {}
        for captured, value in value_map.items():
            if (current := self._current(value)) in present:
                remaining[captured] = current
        return remaining

    def finish(self) -> None:
        """Name what is in the functions, and drop the constants that only they use."""
        for function in self._functions:
            name_function(function)
        if self._functions:
            self._model.ir_version = max(self._model.ir_version, _FIRST_IR_VERSION)
        initializers = self._model.graph.initializers
        for name, value in list(initializers.items()):
            if constant_tensor(value) is not None and not value.uses() and not value.is_graph_output():
                del initializers[name]


def _seen_from(call: ModuleCall, value: ir.Value) -> str:
    """A name for what a function reads: of a weight, its path in the module."""
    name = str(value.meta.get("torch.name", value.name))
    return name.removeprefix(f"{call.path}.") if value.is_initializer() else name


def _constant_node(value: ir.Value) -> ir.Node:
    tensor = constant_tensor(value)
    if tensor is None:
        raise ValueError(f"%{value.name} is no constant")
    return ir.Node("", "Constant", [], [ir.AttrTensor("value", tensor)], num_outputs=1)


def _rename_inputs(nodes: Collection[ir.Node], formal: Mapping[ir.Value, ir.Value]) -> None:
    for node in with_blocks(nodes):
        for index, value in enumerate(node.inputs):
            if value is not None and value in formal:
                node.replace_input_with(index, formal[value])
        for block in blocks_in(node):
            block.outputs[:] = [formal.get(value, value) for value in block.outputs]


def _forget_types(nodes: Iterable[ir.Node]) -> None:
    """Take sizes away, which calls do not share, and types and ranks where a block does not need them."""
    for node in with_blocks(list(nodes)):
        for block in blocks_in(node):
            for value in block.inputs:
                value.shape = None if value.shape is None else ir.Shape([None] * len(value.shape))
        for value in node.outputs:
            value.shape = None
            if not value.is_graph_output():
                value.type = None


def _detach(nodes: Collection[ir.Node]) -> None:
    for node in with_blocks(nodes):
        for index in range(len(node.inputs)):
            node.replace_input_with(index, None)
