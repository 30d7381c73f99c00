"""The pass :class:`RemoveNoOps`."""

from __future__ import annotations

import onnx_ir as ir

from onnx_jitpasses._base import DialectPass, reads_strides
from onnx_jitpasses._edit import make_identity, remove_dead
from onnx_jitpasses._graphs import all_nodes, changes_shapes, mutated
from onnx_jitpasses._no_op_forms import NoOp, no_op

__all__ = ["RemoveNoOps"]


class RemoveNoOps(DialectPass):
    """Removes calls that give back their first argument.

    They are ``alias``, ``detach``, casts to the same dtype, reshapes to the same shape, full slices, dropout
    in evaluation mode, ``clone``, ``contiguous``, ``x * 1`` and the like. What gives the argument's memory
    always goes. What copies goes only if no node of the program writes in place, and none depends on strides
    (:class:`ViewToReshape` sees to that). A call whose result is an output of its block becomes a
    ``prim::Identity`` at the block's end. A move to another device counts as nothing, since ONNX has none.
    """

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Change the model."""
        nodes = list(all_nodes(model.graph))
        if any(map(changes_shapes, nodes)):
            # Two names of one tensor have one shape each; merging them would merge those.
            return ir.passes.PassResult(model, modified=False)
        takes_copies = not any(reads_strides(node) or _writes(node) for node in nodes)
        arguments: list[ir.Value | None] = []
        for node in nodes:
            kind = no_op(node)
            if kind is NoOp.SAME or (kind is NoOp.COPY and takes_copies):
                arguments += _give_back(node)
        remove_dead(arguments)
        return ir.passes.PassResult(model, modified=bool(arguments))


def _give_back(node: ir.Node) -> list[ir.Value | None]:
    """Replace the call's result by its first argument; return what it took, or nothing if it has to stay."""
    argument = node.inputs[0]
    output = node.outputs[0]
    is_needed = node.domain == "prim" and output.is_graph_output() and not output.uses()
    if argument is None or is_needed:
        return []
    taken = list(node.inputs)
    make_identity(node, argument)
    return taken


def _writes(node: ir.Node) -> bool:
    """Whether the call writes numbers; ``detach_`` only leaves autograd's graph."""
    return bool(mutated(node)) and node.op_type != "detach_"
