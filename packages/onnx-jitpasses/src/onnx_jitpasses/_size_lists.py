"""The pass :class:`SizeLists`."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.dialect import ListType, OpName, op_name, scalar_type
from onnx_jitpasses._base import DialectPass
from onnx_jitpasses._edit import Editor
from onnx_jitpasses._emission import Emission
from onnx_jitpasses._graphs import all_nodes

__all__ = ["SizeLists"]

_SIZES = OpName("aten", "size")


class SizeLists(DialectPass):
    """Replaces ``aten::size``, which gives all sizes of a tensor, by a list of its single sizes.

    The rank of the tensor must be known.
    """

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Change the model."""
        editor = Editor(model.graph)
        modified = False
        for node in list(all_nodes(model.graph)):
            tensor = node.inputs[0] if op_name(node) == _SIZES else None
            if tensor is None or tensor.shape is None:
                continue
            emission = Emission.before(editor, node)
            sizes = [
                emission.call("aten::sym_size.int", [tensor, axis], Emission.number())
                for axis in range(len(tensor.shape))
            ]
            # A decomposition gives each size as an output of its own.
            is_list = isinstance(node.outputs[0].type, ListType)
            editor.replace(node, [emission.list(sizes, ListType(scalar_type("int")))] if is_list else sizes)
            modified = True
        return ir.passes.PassResult(model, modified)
