"""The pass :class:`RemoveAssertions`."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.dialect import Effect, blocks_of, effects_of
from onnx_jitpasses._base import DialectPass
from onnx_jitpasses._edit import make_identity, remove_dead, remove_node
from onnx_jitpasses._graphs import all_nodes

__all__ = ["RemoveAssertions"]


class RemoveAssertions(DialectPass):
    """Removes calls that only check, or that only tell a compiler a bound, and what only fed them.

    ONNX has no assertions: the graph computes the same for every input that passes them. The functional
    forms hand a token on; users of it get the token that went in. ``prim::RaiseException`` stays, since it
    is the whole of a branch.
    """

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Change the model."""
        checks = [node for node in all_nodes(model.graph) if _is_check(node)]
        fed: list[ir.Value | None] = []
        for node in checks:
            fed += node.inputs
            token = node.inputs[-1] if node.inputs else None
            if node.outputs and token is not None:
                make_identity(node, token)
            else:
                remove_node(node)
        remove_dead(fed)
        return ir.passes.PassResult(model, modified=bool(checks))

    def ensures(self, model: ir.Model) -> None:
        """Check that no assertion is left."""
        for node in all_nodes(model.graph):
            if _is_check(node):
                raise ir.passes.PostconditionError(f"{node.domain}::{node.op_type} is left")


def _is_check(node: ir.Node) -> bool:
    # All checks but prim::RaiseException are called so; asking for the effects of every node takes time.
    if not node.op_type.startswith(("_", "sym_")) or blocks_of(node):
        return False
    is_checking = bool(effects_of(node) & Effect.CHECKS)
    return is_checking and (not node.outputs or (len(node.outputs) == 1 and bool(node.inputs)))
