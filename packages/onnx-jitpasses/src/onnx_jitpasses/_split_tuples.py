"""The pass :class:`SplitTuples`."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.dialect import (
    blocks_of,
    constant_value,
    is_construct,
    is_plain_tensor,
    same_constant,
    type_text,
)
from onnx_jitpasses._base import DialectPass
from onnx_jitpasses._block_edits import add_branch_result, either, replace_results
from onnx_jitpasses._edit import Editor
from onnx_jitpasses._emission import Emission
from onnx_jitpasses._graphs import all_nodes, is_written, source_of

__all__ = ["SplitTuples"]


class SplitTuples(DialectPass):
    """Lets an if give the members of a tuple or list one by one, where both branches put it together."""

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Change the model."""
        editor = Editor(model.graph)
        modified = False
        # Inner ones first: what they give is put together behind them, in a branch of the outer one.
        for node in reversed(list(all_nodes(model.graph))):
            if node.domain == "prim" and node.op_type == "If" and node.graph is not None:
                modified |= _split(editor, node)
        return ir.passes.PassResult(model, modified)


def _split(editor: Editor, node: ir.Node) -> bool:
    instead: dict[int, ir.Value] = {}
    for position, output in enumerate(list(node.outputs)):
        made = [_construct(block.outputs[position]) for block in blocks_of(node)]
        if made[0] is None or made[1] is None or is_written(output):
            continue
        pairs = _pairs(made[0], made[1])
        if pairs is not None:
            items = [_item(editor, node, pair) for pair in pairs]
            instead[position] = Emission.after(editor, node).container(made[0], items)
    if instead:
        replace_results(editor, node, instead)
    return bool(instead)


def _pairs(one: ir.Node, other: ir.Node) -> list[tuple[ir.Value, ir.Value]] | None:
    """The members by place, if both have as many, each of one type."""
    if one.op_type != other.op_type or len(one.inputs) != len(other.inputs):
        return None
    pairs = [(a, b) for a, b in zip(one.inputs, other.inputs, strict=True) if a is not None and b is not None]
    is_whole = len(pairs) == len(one.inputs)
    return pairs if is_whole and all(_is_one_type(a, b) for a, b in pairs) else None


def _is_one_type(one: ir.Value, other: ir.Value) -> bool:
    if is_plain_tensor(one.type) and is_plain_tensor(other.type):
        return True
    return type_text(one.type) == type_text(other.type)


def _item(editor: Editor, node: ir.Node, pair: tuple[ir.Value, ir.Value]) -> ir.Value:
    """What stands for a member behind the if."""
    one, other = pair
    if same_constant(one, other):
        return editor.constant_before(node, constant_value(one))
    return add_branch_result(editor, node, pair, either(one, other))


def _construct(value: ir.Value) -> ir.Node | None:
    """The call that puts the value together."""
    source = source_of(value)
    node = None if source is None else source.producer()
    if node is None or not is_construct(node) or is_written(node.outputs[0]):
        return None
    return node
