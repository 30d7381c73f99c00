"""Edits of a dialect program that keep it whole: names stay unique, graph outputs stay where they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import onnx_ir as ir

from onnx_ir_capture.dialect import (
    ConstantValue,
    Effect,
    blocks_of,
    constant_kind,
    constant_node,
    effects_of,
    scalar_type,
    take_name,
)
from onnx_jitpasses._graphs import all_values

__all__ = [
    "Editor",
    "current_value",
    "is_dead",
    "make_constant",
    "make_identity",
    "remove_dead",
    "remove_node",
    "take_branch",
]

_REPLACED_BY = "onnx_jitpasses.replaced_by"


class Editor:
    """Edits of one program; the names in use are looked up when the first new one is asked for."""

    def __init__(self, graph: ir.Graph) -> None:
        self._graph = graph
        self._names: set[str] | None = None

    def fresh_name(self, stem: str) -> str:
        """``stem``, or the first ``stem_1``, ``stem_2`` … that no value of the program has."""
        if self._names is None:
            self._names = {value.name for value in all_values(self._graph) if value.name}
        return take_name(stem, self._names)

    def constant_before(self, node: ir.Node, value: ConstantValue) -> ir.Value:
        """A new constant in front of ``node``."""
        return self.insert_before(node, constant_node(value, self.fresh_name("const")))

    def insert_before(self, node: ir.Node, new: ir.Node) -> ir.Value:
        """Put ``new`` in front of ``node``; return its first output."""
        if node.graph is None:
            raise ValueError(f"{node.op_type} stands in no graph")
        node.graph.insert_before(node, new)
        return new.outputs[0]

    def exchange_output(self, graph: ir.Graph, old: ir.Value, new: ir.Value) -> ir.Node:
        """Let ``graph`` return ``new`` where it returns ``old``, under the same name.

        Returns:
            The ``prim::Identity`` that now stands at the end of the graph.
        """
        node = ir.Node("prim", "Identity", [new], num_outputs=1)
        output = node.outputs[0]
        output.type, output.shape = new.type, None if new.shape is None else new.shape.copy()
        output.name, old.name = old.name, self.fresh_name(f"{old.name}_before")
        graph.append(node)
        graph.outputs[list(graph.outputs).index(old)] = output
        return node

    def replace(self, node: ir.Node, values: Sequence[ir.Value]) -> None:
        """Let ``values`` stand for the outputs of ``node``, under their names; the node goes.

        Its blocks must have been taken from it.
        """
        for old, new in zip(node.outputs, values, strict=True):
            new.name, old.name = old.name, self.fresh_name(f"{old.name}_before")
            old.meta[_REPLACED_BY] = new
            old.replace_all_uses_with(new, replace_graph_outputs=True)
        remove_node(node)


def current_value(value: ir.Value) -> ir.Value:
    """The value that stands for ``value`` after the passes that ran: itself, or what replaced it."""
    while (found := value.meta.get(_REPLACED_BY)) is not None:
        value = found
    return value


def make_constant(node: ir.Node, value: ConstantValue) -> None:
    """Turn a node with one output into the constant ``value``."""
    made = constant_node(value)
    _become(node, made)
    node.meta["value"] = value
    node.outputs[0].type = scalar_type(constant_kind(value))
    node.outputs[0].shape = ir.Shape(())


def make_identity(node: ir.Node, value: ir.Value) -> None:
    """Let a node with one output give ``value``: all users take it directly and the node goes.

    If its output is one of its block, the node becomes a ``prim::Identity`` at the block's end.
    """
    output, graph = node.outputs[0], node.graph
    for use in output.uses():
        use.node.replace_input_with(use.idx, value)
    if output.is_graph_output() and isinstance(graph, ir.Graph):
        _become(node, ir.Node("prim", "Identity", []))
        node.resize_inputs(1)
        node.replace_input_with(0, value)
        # Where a write to the value's memory comes before it, as it did for the output.
        graph.remove(node)
        graph.append(node)
        return
    output.meta[_REPLACED_BY] = value
    remove_node(node)


def _become(node: ir.Node, form: ir.Node) -> None:
    node.domain, node.op_type, node.overload = form.domain, form.op_type, form.overload
    node.attributes.clear()
    node.attributes.update(form.attributes)
    node.resize_inputs(0)


def is_dead(node: ir.Node) -> bool:
    """Whether nothing would change if the node were not there."""
    if any(output.is_graph_output() or output.uses() for output in node.outputs):
        return False
    return not effects_of(node) & Effect.LASTING


def remove_dead(values: Iterable[ir.Value | None]) -> int:
    """Remove the producers of ``values`` that are dead, and what only fed those; return how many."""
    work = list(values)
    removed = 0
    while work:
        value = work.pop()
        node = value.producer() if value is not None else None
        if node is None or node.graph is None or not is_dead(node):
            continue
        work += _read(node)
        remove_node(node)
        removed += 1
    return removed


def _read(node: ir.Node) -> list[ir.Value | None]:
    """What the node and the nodes in its blocks read."""
    read = list(node.inputs)
    for block in blocks_of(node):
        for inner in block:
            read += _read(inner)
    return read


def remove_node(node: ir.Node) -> None:
    """Take a node out of its graph; neither it nor the nodes in its blocks use a value afterwards."""
    for block in blocks_of(node):
        for inner in list(block):
            remove_node(inner)
    for position in range(len(node.inputs)):
        node.replace_input_with(position, None)
    graph = node.graph
    if isinstance(graph, ir.Graph):
        graph.remove(node)


def take_branch(editor: Editor, node: ir.Node, name: str) -> None:
    """Put the branch ``name`` of an if where the if stands, which goes."""
    block = node.attributes[name].as_graph()
    results = list(block.outputs)
    block.outputs.clear()
    for inner in list(block):
        block.remove(inner)
        node.prepend(inner)
    editor.replace(node, results)
