"""The pass :class:`UnrollLoops`."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.dialect import ListType, blocks_of, items_of, known_constant
from onnx_jitpasses._base import DialectPass
from onnx_jitpasses._clone import copy_nodes
from onnx_jitpasses._edit import Editor
from onnx_jitpasses._emission import Emission
from onnx_jitpasses._graphs import all_nodes, mutated, source_of

__all__ = ["UnrollLoops"]

# Beyond these a file of ONNX is better off with a loop.
_MOST_RUNS = 32
_MOST_NODES = 2000


class UnrollLoops(DialectPass):
    """Replaces a loop over a list of known length by its runs, one behind the other.

    Meant are loops that run a known number of times and make a list longer, or take their items from a list
    that the program puts together: with each run at its place the items are known, which may be tensors of
    different kinds. A loop that may end early is left alone, and one of very many runs.
    """

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Change the model."""
        editor = Editor(model.graph)
        modified = False
        for node in list(all_nodes(model.graph)):
            if node.domain != "prim" or node.op_type != "Loop" or node.graph is None:
                continue
            count = _runs(node)
            if count is not None and _concerns_lists(node):
                _unroll(editor, node, count)
                modified = True
        return ir.passes.PassResult(model, modified)


def _runs(node: ir.Node) -> int | None:
    """How often the loop runs, if that is known and not too often."""
    count, condition = (known_constant(value) for value in node.inputs[:2])
    (body,) = blocks_of(node)
    goes_on = known_constant(source_of(body.outputs[0]))
    stacks = len(node.outputs) != node.attributes["carried"].as_int()
    if stacks or condition is not True or not isinstance(count, int) or isinstance(count, bool):
        return None
    if goes_on is not True and count > 1:
        return None
    count = max(count, 0)
    size = count * sum(1 for _ in all_nodes(body))
    return count if count <= _MOST_RUNS and size <= _MOST_NODES else None


def _concerns_lists(node: ir.Node) -> bool:
    (body,) = blocks_of(node)
    if any(isinstance(value.type, ListType) for value in node.outputs):
        return True
    return any(_is_written_list(inner) or _is_known_item(inner) for inner in all_nodes(body))


def _is_written_list(node: ir.Node) -> bool:
    return any(
        value is not None and isinstance(value.type, ListType)
        for value in (node.inputs[position] for position in mutated(node))
    )


def _is_known_item(node: ir.Node) -> bool:
    """Whether the call takes an item of a list that the program puts together, by a number that changes."""
    if node.domain != "aten" or node.op_type != "__getitem__" or len(node.inputs) != 2:
        return False
    items = items_of(source_of(node.inputs[0]))
    return items is not None and known_constant(node.inputs[1]) is None


def _unroll(editor: Editor, node: ir.Node, count: int) -> None:
    (body,) = blocks_of(node)
    carried = node.attributes["carried"].as_int()
    current = list(node.inputs[2 : 2 + carried])
    around = list(node.inputs[2 + carried :])
    for run in range(count):
        number = Emission.before(editor, node).constant(run)
        given = dict(zip(body.inputs, [number, *current, *around], strict=True))
        copies, values = copy_nodes(body, given, editor.fresh_name)
        for copy in copies:
            node.prepend(copy)
        current = [values[output] for output in body.outputs[1:]]
    body.outputs.clear()
    emission = Emission.before(editor, node)
    editor.replace(node, [emission.identity(value) for value in current if value is not None])
