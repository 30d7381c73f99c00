"""When the values of a graph are last used, so that their memory can go."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import onnx_ir as ir

__all__ = ["Lifetimes", "last_uses", "subgraphs_of"]

Lifetimes = Mapping[ir.Node, Sequence[ir.Value]]
"""For each node of a graph and of its blocks, the values that nothing needs once it has run.

A value that is never used goes with the node that made it. A block's use of an outer value counts as a use
by the node that holds the block.
"""


def last_uses(graph: ir.Graph) -> Lifetimes:
    """The lifetimes of everything in ``graph``; its outputs live until its end and are in no list."""
    result: dict[ir.Node, list[ir.Value]] = {}
    _collect(graph, result)
    return result


def subgraphs_of(node: ir.Node) -> Iterator[ir.Graph]:
    """The blocks that a node holds."""
    for attribute in node.attributes.values():
        if attribute.type == ir.AttributeType.GRAPH:
            yield attribute.as_graph()


def _collect(graph: ir.Graph, result: dict[ir.Node, list[ir.Value]]) -> set[ir.Value]:
    """Add the lifetimes of one graph and its blocks; return the outer values that it uses."""
    own = {*graph.inputs, *graph.initializers.values()}
    needed_later: set[ir.Value] = set(graph.outputs)
    outer: set[ir.Value] = {value for value in graph.outputs if value.graph is not graph}
    nodes = list(graph)
    for node in nodes:
        own.update(node.outputs)
    for node in reversed(nodes):
        used = {value for value in node.inputs if value is not None}
        for block in subgraphs_of(node):
            used |= _collect(block, result)
        outer |= used - own
        ending = [value for value in (*node.outputs, *used) if value in own and value not in needed_later]
        # Sets have no fixed order; what runs must not depend on it, and what is freed in a row does not.
        result[node] = list(dict.fromkeys(ending))
        needed_later |= used
    return outer
