"""The pass :class:`RemoveRaises`."""

from __future__ import annotations

import onnx_ir as ir

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.dialect import known_constant
from onnx_ir_capture.lowering import location_of
from onnx_jitpasses._base import DialectPass
from onnx_jitpasses._edit import Editor, take_branch
from onnx_jitpasses._graphs import all_nodes
from onnx_jitpasses.rules import RAISE_DROPPED

__all__ = ["RemoveRaises"]


class RemoveRaises(DialectPass):
    """Replaces an if of which one branch raises an error by the other branch.

    ONNX raises no errors: for inputs that are in order the graph computes the same, and for others what
    the other branch makes of them, which is reported as a note.
    """

    def __init__(self, diagnostics: DiagnosticContext | None = None) -> None:
        self._diagnostics = diagnostics

    @classmethod
    def create(cls, diagnostics: DiagnosticContext) -> RemoveRaises:
        """The pass, reporting to the context."""
        return cls(diagnostics)

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Change the model."""
        editor = Editor(model.graph)
        modified = False
        # Inner ones first: what is left of a branch may itself be nothing but an error.
        for node in reversed(list(all_nodes(model.graph))):
            if node.domain != "prim" or node.op_type != "If" or node.graph is None:
                continue
            first, other = (_raised(node, name) for name in ("then_branch", "else_branch"))
            error = first or other
            if error is None or (first is not None and other is not None):
                continue
            self._report(error)
            take_branch(editor, node, "else_branch" if first is not None else "then_branch")
            modified = True
        return ir.passes.PassResult(model, modified)

    def _report(self, error: ir.Node) -> None:
        if self._diagnostics is not None:
            text = known_constant(error.inputs[0]) if error.inputs else ""
            self._diagnostics.report(
                RAISE_DROPPED, location=location_of(error), text=repr(text or "an error")
            )


def _raised(node: ir.Node, name: str) -> ir.Node | None:
    for inner in node.attributes[name].as_graph():
        if inner.domain == "prim" and inner.op_type == "RaiseException":
            return inner
    return None
