"""Further results for ifs and loops: what their blocks compute, handed out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import onnx_ir as ir

from onnx_ir_capture.dialect import blocks_of, is_plain_tensor
from onnx_jitpasses._edit import Editor
from onnx_jitpasses._emission import Emission

__all__ = ["add_branch_result", "carry", "either", "loop_with", "replace_results"]


def add_branch_result(editor: Editor, node: ir.Node, given: Sequence[ir.Value], like: ir.Value) -> ir.Value:
    """A new output of an if.

    Args:
        editor: of the program.
        node: a ``prim::If``.
        given: what each branch gives for it, a value from inside or from around.
        like: has its type, shape, and the stem of its name.
    """
    for block, value in zip(blocks_of(node), given, strict=True):
        block.outputs.append(Emission.at_end(editor, block).identity(value))
    node.resize_outputs(len(node.outputs) + 1)
    output = node.outputs[-1]
    output.name, output.type = editor.fresh_name(str(like.name)), like.type
    output.shape = None if like.shape is None else like.shape.copy()
    return output


def either(one: ir.Value, other: ir.Value) -> ir.Value:
    """What a value looks like that is one of two; dtype and sizes are open where these differ."""
    if not is_plain_tensor(one.type) or not is_plain_tensor(other.type):
        return one
    dtype = one.dtype if one.dtype == other.dtype and one.dtype is not None else ir.DataType.UNDEFINED
    shape = None
    if one.shape is not None and other.shape is not None and len(one.shape) == len(other.shape):
        pairs = zip(one.shape, other.shape, strict=True)
        shape = ir.Shape([a if isinstance(a, int) and a == b else None for a, b in pairs])
    return ir.Value(name=one.name, type=ir.TensorType(dtype), shape=shape)


def replace_results(editor: Editor, node: ir.Node, instead: Mapping[int, ir.Value]) -> ir.Node:
    """Take results from an if; a new one takes its place.

    Args:
        editor: of the program.
        node: a ``prim::If``.
        instead: what stands for the results, behind the if, by their positions.
    """
    kept = [position for position in range(len(node.outputs)) if position not in instead]
    for block in blocks_of(node):
        given = [block.outputs[position] for position in kept]
        block.outputs.clear()
        block.outputs.extend(given)
    outputs = [_copy(editor, node.outputs[position]) for position in kept]
    attributes = [node.attributes.pop(name) for name in ("then_branch", "else_branch")]
    new = ir.Node("prim", "If", node.inputs, attributes, outputs=outputs)
    new.meta.update(node.meta)
    node.append(new)
    values = dict(zip(kept, outputs, strict=True)) | dict(instead)
    editor.replace(node, [values[position] for position in range(len(node.outputs))])
    return new


def carry(
    editor: Editor, node: ir.Node, start: ir.Value, parameter: ir.Value, final: ir.Value
) -> tuple[ir.Node, ir.Value]:
    """Let a loop carry one more value; a new loop takes the place of ``node``.

    Args:
        editor: of the program.
        node: a ``prim::Loop``.
        start: what the first run is given.
        parameter: what stands for it in the body; becomes an input of the body.
        final: what the body gives to the next run.

    Returns:
        The new loop, and its output that holds what the last run gave.
    """
    carried = node.attributes["carried"].as_int()
    (body,) = blocks_of(node)
    body.inputs.insert(1 + carried, parameter)
    body.outputs.insert(1 + carried, Emission.at_end(editor, body).identity(final))
    inputs = [*node.inputs[: 2 + carried], start, *node.inputs[2 + carried :]]
    new = loop_with(editor, node, inputs, carried, [parameter])
    return new, new.outputs[carried]


def loop_with(
    editor: Editor, node: ir.Node, inputs: Sequence[ir.Value | None], carried: int, added: Sequence[ir.Value]
) -> ir.Node:
    """The loop ``node`` with other inputs and further carried results; it takes the place of ``node``.

    Args:
        editor: of the program.
        node: a ``prim::Loop`` whose body has what belongs to them already.
        inputs: those of the new loop.
        carried: how many values ``node`` carries.
        added: what the further results look like.
    """
    wanted = (*node.outputs[:carried], *added, *node.outputs[carried:])
    outputs = [_copy(editor, value) for value in wanted]
    (body,) = blocks_of(node)
    kept = [*outputs[:carried], *outputs[carried + len(added) :]]
    node.attributes.pop("body")
    attributes = [ir.AttrGraph("body", body), ir.AttrInt64("carried", carried + len(added))]
    new = ir.Node("prim", "Loop", inputs, attributes, outputs=outputs)
    new.meta.update(node.meta)
    node.append(new)
    editor.replace(node, kept)
    return new


def _copy(editor: Editor, value: ir.Value) -> ir.Value:
    shape = None if value.shape is None else value.shape.copy()
    return ir.Value(name=editor.fresh_name(str(value.name)), type=value.type, shape=shape)
