"""Which nodes of a lowered graph a call of a module made, and whether they can stand together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

import onnx_ir as ir

from onnx_ir_capture.dialect import ModuleCall
from onnx_ir_capture.lowering import module_calls

__all__ = [
    "Calls",
    "NodeOrder",
    "Place",
    "Wanted",
    "blocks_in",
    "heights_of",
    "members_of",
    "operands_of",
    "with_blocks",
]

Calls = tuple[ModuleCall, ...]
"""Calls of modules, each made in the one before it."""

Wanted = Callable[[ModuleCall], bool]
"""Says of a call of a module whether it becomes one of a function."""


class Place(NamedTuple):
    """A call of a module, and the graph or block that its nodes are in."""

    graph: ir.Graph
    calls: Calls


def blocks_in(node: ir.Node) -> list[ir.Graph]:
    """The blocks of an ONNX node, in the order of its attributes."""
    return [
        attribute.as_graph()
        for attribute in node.attributes.values()
        if attribute.type == ir.AttributeType.GRAPH
    ]


def with_blocks(nodes: Collection[ir.Node] | ir.Graph) -> Iterator[ir.Node]:
    """``nodes`` and, after each, the nodes of its blocks."""
    for node in nodes:
        yield node
        for block in blocks_in(node):
            yield from with_blocks(block)


def operands_of(node: ir.Node) -> Iterator[ir.Value]:
    """What ``node`` and its blocks read, in order; values that a block computes are among it."""
    for member in with_blocks([node]):
        yield from (value for value in member.inputs if value is not None)
        for block in blocks_in(member):
            yield from block.outputs


def heights_of(graph: ir.Graph, wanted: Wanted) -> dict[Calls, int]:
    """How many calls deep the wanted calls inside of each wanted call go."""
    heights: dict[Calls, int] = {}
    for node in with_blocks(graph):
        calls = _wanted_calls(node, wanted)
        for length in range(1, len(calls) + 1):
            inner = len(calls) - length
            heights[calls[:length]] = max(heights.get(calls[:length], 0), inner)
    return heights


def members_of(graph: ir.Graph, wanted: Wanted, around: Calls = ()) -> dict[Place, list[ir.Node]]:
    """The nodes of each wanted call, where they are not in a block of a node that has the same call."""
    found: dict[Place, list[ir.Node]] = {}
    for node in graph:
        calls = _wanted_calls(node, wanted)
        for block in blocks_in(node):
            found.update(members_of(block, wanted, calls))
        if calls[: len(around)] != around:
            continue
        for length in range(len(around) + 1, len(calls) + 1):
            found.setdefault(Place(graph, calls[:length]), []).append(node)
    return found


def _wanted_calls(node: ir.Node, wanted: Wanted) -> Calls:
    return tuple(call for call in module_calls(node) if wanted(call))


class NodeOrder:
    """Places of a graph's nodes, kept while groups of them are replaced by single nodes."""

    def __init__(self, graph: ir.Graph) -> None:
        self._graph = graph
        self._nodes: list[ir.Node | None] = []
        self._places: dict[ir.Node, int] = {}
        self._refresh()

    def _refresh(self) -> None:
        self._nodes = list(self._graph)
        self._places = {node: place for place, node in enumerate(self._graph)}

    def closed(
        self, members: Collection[ir.Node], is_free: Callable[[ir.Node], bool]
    ) -> list[ir.Node] | None:
        """``members`` in order, with the nodes on the way from one to another.

        Args:
            members: nodes of the graph.
            is_free: whether a node may be taken in.

        Returns:
            The nodes; None if one on the way is not free, or a member is not in the graph any more.
        """
        inside = set(members)
        if not inside <= self._places.keys():
            return None
        span = self._span(inside)
        reached: set[ir.Node] = set()
        for node in span:
            producers = self._producers(node)
            if node not in inside and any(made in inside or made in reached for made in producers):
                reached.add(node)
        between: set[ir.Node] = set()
        for node in reversed(span if reached else ()):
            if node in inside or node in between:
                between.update(made for made in self._producers(node) if made in reached)
        if not all(map(is_free, between)):
            return None
        return sorted(inside | between, key=self._places.__getitem__)

    def replace(self, members: Sequence[ir.Node], node: ir.Node) -> None:
        """Put ``node``, which the graph does not have yet, in the place of ``members``."""
        alone = len(self._span(members)) == len(members)
        self._graph.insert_after(members[-1], node)
        self._graph.remove(members)
        last = self._places[members[-1]]
        for member in members:
            self._nodes[self._places.pop(member)] = None
        self._nodes[last], self._places[node] = node, last
        if not alone:  # what stood between the members may read the results
            self._graph.sort()
            self._refresh()

    def _span(self, members: Collection[ir.Node]) -> list[ir.Node]:
        places = [self._places[member] for member in members]
        return [node for node in self._nodes[min(places) : max(places) + 1] if node is not None]

    def _producers(self, node: ir.Node) -> Iterator[ir.Node]:
        for value in operands_of(node):
            producer = value.producer()
            if producer is not None and producer.graph is self._graph:
                yield producer
