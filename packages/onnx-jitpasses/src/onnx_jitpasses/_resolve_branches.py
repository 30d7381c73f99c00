"""The pass :class:`ResolveBranches`."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.dialect import known_constant
from onnx_jitpasses._base import DialectPass
from onnx_jitpasses._edit import Editor, take_branch
from onnx_jitpasses._graphs import all_nodes

__all__ = ["ResolveBranches"]


class ResolveBranches(DialectPass):
    """Puts the branch of an if in its place where the condition is a constant."""

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Change the model."""
        editor = Editor(model.graph)
        modified = False
        for node in list(all_nodes(model.graph)):
            if node.domain != "prim" or node.op_type != "If" or node.graph is None:
                continue
            condition = known_constant(node.inputs[0])
            if isinstance(condition, bool):
                take_branch(editor, node, "then_branch" if condition else "else_branch")
                modified = True
        return ir.passes.PassResult(model, modified)
