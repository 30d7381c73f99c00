"""The pass :class:`DeadCode`."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.dialect import blocks_of
from onnx_jitpasses._base import DialectPass
from onnx_jitpasses._edit import is_dead, remove_node

__all__ = ["DeadCode"]


class DeadCode(DialectPass):
    """Removes nodes whose results nobody uses and that have no lasting effect, in blocks too.

    An in-place write, a check and a call that nobody knows are kept; a random draw is not. Inputs of the
    graph always stay. Weights stay unless ``drop_weights`` says that the unused ones shall go.
    """

    def __init__(self, *, drop_weights: bool = False) -> None:
        self._drop_weights = drop_weights

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Change the model."""
        modified = _sweep(model.graph) > 0
        if self._drop_weights:
            modified |= _drop_weights(model.graph)
        return ir.passes.PassResult(model, modified)


def _sweep(graph: ir.Graph) -> int:
    removed = 0
    # From the last node on: what only fed a removed node has no users when its turn comes.
    for node in reversed(graph):
        if is_dead(node):
            remove_node(node)
            removed += 1
            continue
        for block in blocks_of(node):
            removed += _sweep(block)
    return removed


def _drop_weights(graph: ir.Graph) -> bool:
    unused = [
        name
        for name, weight in graph.initializers.items()
        if not weight.uses() and not weight.is_graph_output() and not weight.is_graph_input()
    ]
    for name in unused:
        del graph.initializers[name]
    return bool(unused)
