"""Lists of pieces in scripts: how many there are follows from the size that is cut, where it is fixed."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.dialect import (
    Aliases,
    ListType,
    alias_attributes,
    get_source,
    is_plain_tensor,
    known_constant,
    op_name,
    set_source,
)

__all__ = ["take_pieces_apart"]


def take_pieces_apart(graph: ir.Graph) -> None:
    """Let calls whose lists have a known number of members give these one by one, and put them together.

    Args:
        graph: its values have the shapes that hold for every size of the inputs; those in blocks do not.
    """
    for node in list(graph):
        sizes = _sizes(node)
        if sizes is not None:
            _take_apart(node, *sizes)


def _sizes(node: ir.Node) -> tuple[Sequence[int], int] | None:
    """The sizes of the pieces, and the axis that is cut; None where they are not known."""
    name = str(op_name(node))
    place = _AXES.get(name)
    if place is None or len(node.outputs) != 1 or not isinstance(node.outputs[0].type, ListType):
        return None
    tensor, axis = node.inputs[0], known_constant(node.inputs[place])
    shape = None if tensor is None else tensor.shape
    if not isinstance(axis, int) or not shape or not isinstance(size := shape[axis], int) or size == 0:
        return None
    given = 1 if name == "aten::unbind.int" else known_constant(node.inputs[1])
    if not isinstance(given, int) or given < 1:
        return None
    piece = -(-size // given) if name == "aten::chunk" else given
    return [min(piece, size - start) for start in range(0, size, piece)], axis % len(shape)


_AXES = {"aten::chunk": 2, "aten::split.Tensor": 2, "aten::unbind.int": 1}
"""The argument that says which axis is cut, by operator."""


def _take_apart(node: ir.Node, sizes: Sequence[int], axis: int) -> None:
    tensor, whole = node.inputs[0], node.outputs[0]
    assert tensor is not None
    assert is_plain_tensor(tensor.type)
    members = []
    for number, size in enumerate(sizes):
        shape = list(tensor.shape or ())
        shape[axis : axis + 1] = [] if node.op_type == "unbind" else [size]
        members.append(ir.Value(name=f"{whole.name}_{number}", type=tensor.type, shape=ir.Shape(shape)))
    marks = alias_attributes(Aliases(views=tuple((number, 0) for number in range(len(sizes)))))
    pieces = ir.Node("aten", node.op_type, node.inputs, marks, overload=node.overload, outputs=members)
    source = get_source(node)
    if source is not None:
        set_source(pieces, source)
    made = ir.Value(name=f"{whole.name}_pieces", type=whole.type)
    node.prepend([pieces, ir.Node("prim", "ListConstruct", members, outputs=[made])])
    whole.replace_all_uses_with(made)
    assert node.graph is not None
    node.graph.remove(node, safe=True)
