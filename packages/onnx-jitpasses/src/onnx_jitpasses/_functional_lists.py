"""The pass :class:`FunctionalLists`."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.dialect import ListType, blocks_of, is_construct, items_of, known_constant
from onnx_jitpasses._base import DialectPass
from onnx_jitpasses._block_edits import add_branch_result, carry
from onnx_jitpasses._edit import Editor, remove_node
from onnx_jitpasses._emission import Emission
from onnx_jitpasses._graphs import all_nodes, mutated, viewed

__all__ = ["LIST_WRITERS", "FunctionalLists"]

# In-place operators of lists that only make them longer, which a loop may do.
_GROWTH = frozenset(["append", "extend", "add_"])

LIST_WRITERS = frozenset([*_GROWTH, "_set_item", "clear", "insert", "pop", "reverse"])
"""Names of the operators that change a list."""


class FunctionalLists(DialectPass):
    """Replaces in-place changes of lists by new lists.

    A list whose items are known is written anew; one that grows in a loop or a branch becomes a result of
    it, put together by ``aten::add.t``, which joins two lists. A list that goes by a second name is left
    alone.
    """

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Change the model."""
        editor = Editor(model.graph)
        written = {
            node.inputs[0]: None
            for node in all_nodes(model.graph)
            if _changes_list(node) and node.inputs[0] is not None
        }
        done = [_ListWalk(editor, value).run() for value in written if _may_change(value)]
        return ir.passes.PassResult(model, modified=any(done))


def _changes_list(node: ir.Node) -> bool:
    return node.domain == "aten" and node.op_type in LIST_WRITERS and 0 in mutated(node)


def _may_change(value: ir.Value) -> bool:
    """Whether the list has no other name, and every change of it has a form here."""
    home, producer = value.graph, value.producer()
    if not isinstance(value.type, ListType) or home is None or producer is None or blocks_of(producer):
        return False
    is_grown_inside = False
    for node, position in value.uses():
        if _changes_list(node) and position == 0:
            is_pop = node.op_type == "pop"
            if not is_pop and any(output.uses() for output in node.outputs):
                return False
            is_grown_inside |= node.graph is not home
        elif is_construct(node) or blocks_of(node) or node.domain == "prim" or _hands_on(node, position):
            return False
    writers = {node.op_type for node, _ in value.uses() if _changes_list(node)}
    return writers <= _GROWTH or (not is_grown_inside and _has_known_forms(value))


def _hands_on(node: ir.Node, position: int) -> bool:
    """Whether a result of the call may be the list itself."""
    outputs = [output for output, given in viewed(node) if given == position]
    return any(isinstance(node.outputs[output].type, ListType) for output in outputs)


def _has_known_forms(value: ir.Value) -> bool:
    """Whether the items of the list are known at every change, and so are the places that change."""
    changes = [node for node, _ in value.uses() if _changes_list(node)]
    others = (node.inputs[1] for node in changes if node.op_type in ("extend", "add_"))
    places = (node.inputs[1] for node in changes if node.op_type in ("_set_item", "insert", "pop"))
    return (
        items_of(value) is not None
        and all(items_of(other) is not None for other in others)
        and all(isinstance(known_constant(place), int) for place in places)
    )


class _ListWalk:
    """Follows one list through the program, in the order of execution."""

    def __init__(self, editor: Editor, value: ir.Value) -> None:
        self._editor = editor
        self._list = value
        self._type = _list_type(value)

    def run(self) -> bool:
        producer, home = self._list.producer(), self._list.graph
        if producer is None or not isinstance(home, ir.Graph):
            return False
        self._list.type = self._type
        nodes = list(home)
        last = self._walk(nodes[nodes.index(producer) + 1 :], self._list)
        for position, output in enumerate(list(home.outputs)):
            if output is self._list and last is not output:
                home.outputs[position] = Emission.at_end(self._editor, home).identity(last)
        return True

    def _walk(self, nodes: Sequence[ir.Node], current: ir.Value) -> ir.Value:
        """Go through the nodes of a block; return the list as it is behind them."""
        for node in nodes:
            if any(self._changes(inner) for block in blocks_of(node) for inner in all_nodes(block)):
                current = self._through(node, current)
            elif self._changes(node):
                current = self._changed(node, current)
            else:
                self._read(node, current)
        return current

    def _changes(self, node: ir.Node) -> bool:
        return _changes_list(node) and node.inputs[0] is self._list

    def _read(self, node: ir.Node, current: ir.Value) -> None:
        """Let the node, and the nodes in its blocks, read the list as it is now."""
        for position, given in enumerate(node.inputs):
            if given is self._list and current is not given:
                node.replace_input_with(position, current)
        for block in blocks_of(node):
            for inner in block:
                self._read(inner, current)

    def _through(self, node: ir.Node, current: ir.Value) -> ir.Value:
        """The list behind an if or loop that changes it."""
        blocks = blocks_of(node)
        if node.op_type == "If":
            given = [self._walk(list(block), current) for block in blocks]
            return add_branch_result(self._editor, node, given, current)
        parameter = ir.Value(name=self._editor.fresh_name(str(current.name)), type=self._type)
        final = self._walk(list(blocks[0]), parameter)
        return carry(self._editor, node, current, parameter, final)[1]

    def _changed(self, node: ir.Node, current: ir.Value) -> ir.Value:
        """The list behind a call that changes it, which goes."""
        self._read_others(node, current)
        emission = Emission.before(self._editor, node)
        items = items_of(current)
        added = _added(node)
        if items is not None and (added is None or items_of(added) is not None or node.op_type == "append"):
            new, taken = _new_items(node, list(items))
            made = emission.list([item for item in new if item is not None], self._type)
            if taken is not None:
                self._editor.replace(node, [emission.identity(taken)])
            else:
                remove_node(node)
            return made
        more = node.inputs[1]
        if node.op_type == "append" and more is not None:
            more = emission.list([more], self._type)
        new_list = emission.call("aten::add.t", [current, more], current)
        remove_node(node)
        return new_list

    def _read_others(self, node: ir.Node, current: ir.Value) -> None:
        """A list may be joined to itself."""
        for position in range(1, len(node.inputs)):
            if node.inputs[position] is self._list:
                node.replace_input_with(position, current)


def _added(node: ir.Node) -> ir.Value | None:
    return node.inputs[1] if len(node.inputs) > 1 and node.op_type in _GROWTH else None


def _new_items(node: ir.Node, items: list[ir.Value | None]) -> tuple[list[ir.Value | None], ir.Value | None]:
    """The items behind a change of a list whose items are known, and the one that is taken out of it."""
    taken = None
    if node.op_type == "append":
        items.append(node.inputs[1])
    elif node.op_type in _GROWTH:
        items.extend(items_of(node.inputs[1]) or ())
    elif node.op_type == "clear":
        items.clear()
    elif node.op_type == "reverse":
        items.reverse()
    else:
        place = known_constant(node.inputs[1])
        assert isinstance(place, int)
        if node.op_type == "insert":
            items.insert(place, node.inputs[2])
        elif node.op_type == "pop":
            taken = items.pop(place)
        else:
            items[place] = node.inputs[2]
    return items, taken


def _list_type(value: ir.Value) -> ListType:
    """The type of the list, with the elements' from what is put into it where the program does not say."""
    known = value.type
    assert isinstance(known, ListType)
    if known.elem_type.dtype != ir.DataType.UNDEFINED:
        return known
    added = [node.inputs[-1] for node, _ in value.uses() if node.op_type in ("append", "insert", "_set_item")]
    types = [item.type for item in added if item is not None and item.type is not None]
    dtypes = {type_.dtype for type_ in types if isinstance(type_, ir.TensorType)}
    return ListType(types[0]) if len(dtypes) == 1 and len(types) == len(added) else known
