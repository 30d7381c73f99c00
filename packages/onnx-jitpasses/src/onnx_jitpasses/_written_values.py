"""Operators that write their arguments, where a translation gives the new values instead."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.dialect import Aliases
from onnx_jitpasses._edit import Editor
from onnx_jitpasses._graphs import leaves, mutated, set_aliases, viewed

__all__ = ["give_written_values", "written_obstacle", "written_tensors"]


def written_tensors(node: ir.Node) -> list[ir.Value]:
    """The tensors that the call writes, in the order of its arguments; those in lists, too."""
    return list(leaves([node.inputs[position] for position in mutated(node)]))


def written_obstacle(node: ir.Node) -> str | None:
    """Why the call cannot give new values in place of its writes; None if it can."""
    returned = set()
    for number, position in viewed(node):
        if position not in mutated(node) or len(list(leaves([node.inputs[position]]))) != 1:
            return f"it returns a view of its argument {position}, which it does not write"
        if number in returned:
            return f"its result {number} may be any of several arguments"
        returned.add(number)
    return None if written_tensors(node) else "it writes something that is no tensor"


def give_written_values(node: ir.Node, editor: Editor) -> list[tuple[ir.Value, ir.Value]]:
    """Let the call write nothing, and give what it would have written behind what it returns.

    An argument that the call writes and returns has no output of its own: what is returned is its new value.

    Returns:
        Pairs of a written tensor and its new value.
    """
    by_argument = {position: number for number, position in reversed(viewed(node))}
    pairs: list[tuple[ir.Value, ir.Value]] = []
    for position in mutated(node):
        if position in by_argument:
            pairs += [(leaf, node.outputs[by_argument[position]]) for leaf in leaves([node.inputs[position]])]
            continue
        for leaf in leaves([node.inputs[position]]):
            pairs.append((leaf, _further_output(node, leaf, editor)))
    set_aliases(node, Aliases())
    return pairs


def _further_output(node: ir.Node, written: ir.Value, editor: Editor) -> ir.Value:
    node.resize_outputs(len(node.outputs) + 1)
    output = node.outputs[-1]
    output.name = editor.fresh_name(f"{written.name}_written")
    output.type = written.type
    output.shape = None if written.shape is None else written.shape.copy()
    return output
