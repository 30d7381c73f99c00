"""The pass :class:`RemoveIdentities`."""

from __future__ import annotations

import onnx_ir as ir

__all__ = ["RemoveIdentities", "current"]

_REPLACED = "onnx_export.replaced_by"


def current(value: ir.Value) -> ir.Value:
    """The value that stands where ``value`` stood before Identity nodes were removed."""
    while isinstance(other := value.meta.get(_REPLACED), ir.Value):
        value = other
    return value


class RemoveIdentities(ir.passes.InPlacePass):
    """Removes Identity nodes that only pass a value on, in blocks too.

    One that a graph or block returns stays unless its argument is computed there: a block returns what it
    computes, and neither an input nor a value from around it. (onnx_ir's own pass lets a block return those.)
    """

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Change the model."""
        removed = [node for node in model.graph.all_nodes() if _is_identity(node) and _remove(node)]
        return ir.passes.PassResult(model, modified=bool(removed))


def _is_identity(node: ir.Node) -> bool:
    return node.domain == "" and node.op_type == "Identity"


def _remove(node: ir.Node) -> bool:
    argument, output, graph = node.inputs[0], node.outputs[0], node.graph
    if argument is None or graph is None:
        return False
    if output.is_graph_output() and not _can_be_returned(argument, graph):
        return False
    if argument.shape is None:
        argument.shape = output.shape
    if output.is_graph_output():
        argument.meta.update(output.meta)
    ir.convenience.replace_all_uses_with(output, argument, replace_graph_outputs=True)
    graph.remove(node, safe=True)
    output.meta[_REPLACED] = argument
    return True


def _can_be_returned(value: ir.Value, graph: ir.Graph | ir.Function) -> bool:
    producer = value.producer()
    return producer is not None and producer.graph is graph and not value.is_graph_output()
