"""The pass :class:`HandIn`."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.dialect import blocks_of, is_plain_tensor
from onnx_jitpasses._base import DialectPass
from onnx_jitpasses._edit import Editor
from onnx_jitpasses._graphs import all_nodes, mutated, viewed

__all__ = ["HandIn"]


class HandIn(DialectPass):
    """Hands a loop whose body writes a tensor from around it the tensors that it takes from there.

    TorchScript's bodies take what they find around them. A tensor that is handed in has a name in the body
    and one outside, by which :class:`Functionalize` sees which of them are one tensor.
    """

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Change the model."""
        editor = Editor(model.graph)
        modified = False
        # Outer ones first: what an inner loop takes from around it may be what an outer one is handed.
        for node in list(all_nodes(model.graph)):
            if node.domain == "prim" and node.op_type == "Loop":
                modified |= _hand_in(editor, node)
        return ir.passes.PassResult(model, modified)


def _hand_in(editor: Editor, node: ir.Node) -> bool:
    (body,) = blocks_of(node)
    inner = list(all_nodes(body))
    homes = {body, *(member.graph for member in inner)}
    taken = {
        value: None
        for member in inner
        for value in member.inputs
        if value is not None and value.graph not in homes and is_plain_tensor(value.type)
    }
    written = {value for member in inner for value in _written(member)}
    if not written & taken.keys():
        return False
    for value in taken:
        shape = None if value.shape is None else value.shape.copy()
        parameter = ir.Value(name=editor.fresh_name(f"{value.name}_in"), type=value.type, shape=shape)
        body.inputs.append(parameter)
        for use in list(value.uses()):
            if use.node.graph in homes:
                use.node.replace_input_with(use.idx, parameter)
        node.resize_inputs(len(node.inputs) + 1)
        node.replace_input_with(len(node.inputs) - 1, value)
    return True


def _written(node: ir.Node) -> set[ir.Value]:
    """What the node writes, by all the names that its arguments may be views of."""
    found: set[ir.Value] = set()
    work = [node.inputs[position] for position in mutated(node)]
    while work:
        value = work.pop()
        if value is None or value in found:
            continue
        found.add(value)
        producer = value.producer()
        if producer is not None:
            work += [
                producer.inputs[given]
                for output, given in viewed(producer)
                if producer.outputs[output] is value
            ]
            work += producer.inputs if producer.op_type == "Identity" else ()
    return found
