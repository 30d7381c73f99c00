"""Stretches of a graph under a mode of torch that plain calls set and unset: autocast and vmap.

Torch makes a region with a body of its own of most autocast blocks, but not of one that holds control flow,
nor of vmap. What stands between the calls is recorded as the model wrote it: without the casts, on single
rows. Run again with the mode set, it is what the model computes.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import torch
from torch._functorch import predispatch
from torch.amp import autocast_mode

from onnx_ir_capture.fx._regions import traced_again

__all__ = ["Span", "has_no_effect", "sets_mode", "span_from"]

# What sets a mode, and what unsets it.
_CLOSERS: Mapping[object, object] = {
    autocast_mode._enter_autocast: autocast_mode._exit_autocast,
    predispatch._vmap_increment_nesting: predispatch._vmap_decrement_nesting,
}

_NO_EFFECT = (torch._C._set_grad_enabled, predispatch.lazy_load_decompositions)


class Span(NamedTuple):
    """The nodes of a stretch, what it reads from before it, and what is read of it."""

    nodes: Sequence[torch.fx.Node]
    operands: Sequence[torch.fx.Node]
    results: Sequence[torch.fx.Node]

    def traced(self, owner: torch.nn.Module) -> torch.fx.GraphModule:
        """The calls that the stretch makes under its mode; a graph from ``operands`` to ``results``."""
        values = [node.meta["val"] for node in self.operands]
        return traced_again(torch.fx.GraphModule(owner, self._graph()), values)

    def _graph(self) -> torch.fx.Graph:
        graph = torch.fx.Graph()
        copies: dict[torch.fx.Node, torch.fx.Node] = {}
        for operand in self.operands:
            copies[operand] = graph.placeholder(operand.name)
        for node in self.nodes:
            for source in node.all_input_nodes:
                if source not in copies:  # a body of control flow, named before the stretch
                    copies[source] = graph.node_copy(source)
            copies[node] = graph.node_copy(node, copies.__getitem__)
        graph.output(tuple(copies[node] for node in self.results))
        return graph


def has_no_effect(target: object) -> bool:
    """Whether a call sets something that an exported model knows nothing of."""
    return target in _NO_EFFECT


def sets_mode(target: object) -> bool:
    """Whether a call begins a stretch that is traced again."""
    return target in _CLOSERS


def span_from(node: torch.fx.Node) -> Span | None:
    """The stretch that ``node`` begins; None if it sets no mode."""
    if not sets_mode(node.target):
        return None
    nodes = _until_unset(node)
    inside = dict.fromkeys(nodes)
    for member in nodes:  # of a call with several results, the single ones
        inside.update(dict.fromkeys(user for user in member.users if user.target is operator.getitem))
    read = (source for member in inside for source in member.all_input_nodes)
    operands = [source for source in dict.fromkeys(read) if source not in inside and source.op != "get_attr"]
    results = [
        member
        for member in inside
        if isinstance(member.meta.get("val"), torch.Tensor | torch.SymInt | torch.SymFloat | torch.SymBool)
        and any(user not in inside for user in member.users)
    ]
    return Span(list(inside), operands, results)


def _until_unset(first: torch.fx.Node) -> list[torch.fx.Node]:
    """The nodes up to the one that unsets what ``first`` sets, or to the graph's end."""
    nodes: list[torch.fx.Node] = []
    node, depth = first, 0
    while node.op != "output":
        nodes.append(node)
        depth += (node.target is first.target) - (node.target is _CLOSERS[first.target])
        if depth == 0:
            break
        node = node.next
    return nodes
