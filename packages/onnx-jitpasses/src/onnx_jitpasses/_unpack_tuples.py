"""The pass :class:`UnpackTuples`."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.dialect import items_of, known_constant
from onnx_jitpasses._base import DialectPass
from onnx_jitpasses._edit import Editor
from onnx_jitpasses._graphs import all_nodes, is_written, source_of

__all__ = ["UnpackTuples"]

_UNPACKS = frozenset(["TupleUnpack", "ListUnpack", "TupleIndex"])


class UnpackTuples(DialectPass):
    """Lets the members of a tuple or list stand for what is taken out of it again.

    A list that a node changes is left alone.
    """

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Change the model."""
        editor = Editor(model.graph)
        modified = False
        for node in list(all_nodes(model.graph)):
            if node.domain != "prim" or node.op_type not in _UNPACKS:
                continue
            members = _members(node)
            if members is not None:
                editor.replace(node, [_copy(editor, node, member) for member in members])
                modified = True
        return ir.passes.PassResult(model, modified)


def _members(node: ir.Node) -> Sequence[ir.Value] | None:
    whole = source_of(node.inputs[0])
    items = items_of(whole)
    if whole is None or items is None or is_written(whole):
        return None
    if node.op_type == "TupleIndex":
        position = known_constant(node.inputs[1])
        items = [items[position]] if isinstance(position, int) else []
    found = [item for item in items if item is not None]
    return found if len(found) == len(node.outputs) else None


def _copy(editor: Editor, node: ir.Node, member: ir.Value) -> ir.Value:
    made = ir.Node("prim", "Identity", [member], num_outputs=1)
    output = made.outputs[0]
    output.type, output.shape = member.type, None if member.shape is None else member.shape.copy()
    output.name = editor.fresh_name(str(member.name))
    return editor.insert_before(node, made)
