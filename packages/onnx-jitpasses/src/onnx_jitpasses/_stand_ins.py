"""The pass :class:`StandIns`, and values for ways through a program that never read them."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.dialect import ListType, ScalarType, blocks_of, is_plain_tensor
from onnx_jitpasses._base import DialectPass
from onnx_jitpasses._dtypes import TORCH_DTYPES
from onnx_jitpasses._edit import Editor, remove_dead
from onnx_jitpasses._emission import Emission
from onnx_jitpasses._graphs import all_nodes, source_of

__all__ = ["StandIns", "origin_of", "stand_in"]

_NUMBERS: dict[str, bool | int | float] = {"bool": False, "float": 0.0, "int": 0}


class StandIns(DialectPass):
    """Puts a value of the right type where a block or a loop is given ``prim::Uninitialized``.

    TorchScript writes it where a function has returned, or a loop was left: nothing reads the value, but
    what a branch gives has a type.
    """

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Change the model."""
        editor = Editor(model.graph)
        modified = False
        for node in list(all_nodes(model.graph)):
            if node.domain == "prim" and node.op_type == "If":
                modified |= _fill_branches(editor, node)
            elif node.domain == "prim" and node.op_type == "Loop":
                modified |= _fill_start(editor, node)
        remove_dead(
            output
            for node in list(all_nodes(model.graph))
            if node.domain == "prim" and node.op_type in ("Identity", "Uninitialized")
            for output in node.outputs
        )
        return ir.passes.PassResult(model, modified)


def _fill_branches(editor: Editor, node: ir.Node) -> bool:
    modified = False
    blocks = blocks_of(node)
    for position, output in enumerate(node.outputs):
        given = [block.outputs[position] for block in blocks]
        for block, value in zip(blocks, given, strict=True):
            if is_uninitialized(value):
                like = _first_typed(output, *given)
                made = stand_in(Emission.at_end(editor, block), like)
                if made is not None:
                    block.outputs[position] = made
                    _set_type(output, like)
                    modified = True
    return modified


def _fill_start(editor: Editor, node: ir.Node) -> bool:
    modified = False
    (body,) = blocks_of(node)
    for place in range(node.attributes["carried"].as_int()):
        if not is_uninitialized(node.inputs[2 + place]):
            continue
        output, parameter = node.outputs[place], body.inputs[1 + place]
        like = _first_typed(output, parameter, body.outputs[1 + place])
        made = stand_in(Emission.before(editor, node), like)
        if made is not None:
            node.replace_input_with(2 + place, made)
            _set_type(parameter, like)
            _set_type(output, like)
            modified = True
    return modified


def _first_typed(*values: ir.Value) -> ir.Value:
    """The first value of which the type is known, or of what it is an identity of; else the first.

    A loop that the example did not leave early gave nothing, and a branch that was not taken did not either.
    """
    for value in values:
        source = value if _is_typed(value) else source_of(value)
        if source is not None and _is_typed(source) and not is_uninitialized(source):
            return source
    return values[0]


def _is_typed(value: ir.Value) -> bool:
    return not is_plain_tensor(value.type) or value.dtype != ir.DataType.UNDEFINED


def _set_type(value: ir.Value, like: ir.Value) -> None:
    """Let a value, and what is an identity of it, have the type of another one."""
    if value is like or (_is_typed(value) and is_plain_tensor(value.type)):
        return
    value.type, value.shape = like.type, Emission.like(like, like.shape).shape
    for use in value.uses():
        if use.node.domain == "prim" and use.node.op_type == "Identity":
            _set_type(use.node.outputs[0], like)


def origin_of(value: ir.Value | None) -> ir.Node | None:
    """The call that gives a value, or what the value is an identity of."""
    source = source_of(value)
    return None if source is None else source.producer()


def is_uninitialized(value: ir.Value | None) -> bool:
    """Whether the program says that nothing reads the value."""
    node = origin_of(value)
    return node is not None and node.domain == "prim" and node.op_type == "Uninitialized"


def stand_in(emission: Emission, like: ir.Value) -> ir.Value | None:
    """A value of the type and rank of ``like``: zeros, or an empty list; None where there is none."""
    if isinstance(like.type, ScalarType):
        number = _NUMBERS.get(like.type.kind)
        return None if number is None else emission.constant(number)
    if isinstance(like.type, ListType):
        return emission.list([], like.type)
    dtype = TORCH_DTYPES.get(like.dtype or ir.DataType.UNDEFINED)
    if not is_plain_tensor(like.type) or like.shape is None or dtype is None:
        return None
    sizes = [size if isinstance(size, int) else 0 for size in like.shape]
    zeros = Emission.like(like, ir.Shape(sizes))
    return emission.call("aten::zeros", [emission.ints(sizes), dtype, None, None, None], zeros)
