"""The pass :class:`AttributeState`."""

from __future__ import annotations

import onnx_ir as ir

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.lowering import location_of
from onnx_jitpasses._base import DialectPass
from onnx_jitpasses._edit import Editor, remove_node
from onnx_jitpasses._functionalize import note_state
from onnx_jitpasses.rules import DROPPED_STATE

__all__ = ["AttributeState"]


class AttributeState(DialectPass):
    """Takes out ``prim::SetAttr``, which says what a run leaves in a weight.

    With ``keep_state`` the value becomes an output of the graph; else it is dropped with a finding of rule
    JIT002, and the weight is what the model has now.
    """

    def __init__(self, diagnostics: DiagnosticContext | None = None, *, keep_state: bool = False) -> None:
        self._diagnostics = diagnostics
        self._keep_state = keep_state

    @classmethod
    def create(cls, diagnostics: DiagnosticContext) -> AttributeState:
        """The pass, reporting to the context."""
        return cls(diagnostics)

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Change the model."""
        nodes = [node for node in model.graph if node.domain == "prim" and node.op_type == "SetAttr"]
        editor = Editor(model.graph)
        for node in nodes:
            weight, final = node.inputs
            if weight is None or final is None:
                continue
            if self._keep_state:
                self._return(model.graph, editor, node, weight, final)
            else:
                self._drop(node, weight)
            remove_node(node)
        return ir.passes.PassResult(model, modified=bool(nodes))

    @staticmethod
    def _return(graph: ir.Graph, editor: Editor, node: ir.Node, weight: ir.Value, final: ir.Value) -> None:
        made = ir.Node("prim", "Identity", [final], num_outputs=1)
        output = editor.insert_before(node, made)
        output.type, output.shape = final.type, None if final.shape is None else final.shape.copy()
        output.name = editor.fresh_name(f"{weight.name}_out")
        graph.outputs.append(output)
        note_state(graph, str(weight.name))

    def _drop(self, node: ir.Node, weight: ir.Value) -> None:
        if weight.const_value is not None:
            weight.shape = ir.Shape(weight.const_value.shape.numpy())
        if self._diagnostics is not None:
            self._diagnostics.report(
                DROPPED_STATE, location=location_of(node), kind="attribute", name=weight.name
            )
