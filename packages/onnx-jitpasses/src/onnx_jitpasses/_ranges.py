"""The pass :class:`Ranges`."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.dialect import known_constant
from onnx_jitpasses._base import DialectPass
from onnx_jitpasses._edit import Editor
from onnx_jitpasses._emission import Emission
from onnx_jitpasses._graphs import all_nodes

__all__ = ["Ranges"]


class Ranges(DialectPass):
    """Replaces what TorchScript counts a ``range(start, stop, step)`` with by arithmetic on its numbers.

    The step must be known: its sign says which way to round.
    """

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Change the model."""
        editor = Editor(model.graph)
        modified = False
        for node in list(all_nodes(model.graph)):
            step = known_constant(node.inputs[2]) if _counts(node) else None
            if isinstance(step, int) and step != 0:
                emission = Emission.before(editor, node)
                found = (
                    _index(emission, node)
                    if node.op_type == "__derive_index"
                    else _length(emission, node, step)
                )
                editor.replace(node, [found])
                modified = True
        return ir.passes.PassResult(model, modified)


def _counts(node: ir.Node) -> bool:
    return node.domain == "aten" and node.op_type in ("__derive_index", "__range_length")


def _index(emission: Emission, node: ir.Node) -> ir.Value:
    index, start, step = node.inputs
    distance = emission.call("aten::mul.int", [index, step], Emission.number())
    return emission.call("aten::add.int", [start, distance], Emission.number())


def _length(emission: Emission, node: ir.Node, step: int) -> ir.Value:
    """``max(0, (stop - start) // step)``, rounded up."""
    start, stop, _ = node.inputs
    ends = (stop, start) if step > 0 else (start, stop)
    distance = emission.call("aten::sub.int", ends, Emission.number())
    if abs(step) != 1:
        padded = emission.call("aten::add.int", [distance, abs(step) - 1], Emission.number())
        distance = emission.call("aten::floordiv.int", [padded, abs(step)], Emission.number())
    return emission.call("prim::max.int", [distance, 0], Emission.number())
