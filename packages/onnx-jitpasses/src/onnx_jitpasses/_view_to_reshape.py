"""The pass :class:`ViewToReshape`."""

from __future__ import annotations

from collections.abc import Mapping

import onnx_ir as ir

from onnx_jitpasses._base import DialectPass, Guarantee
from onnx_jitpasses._graphs import all_nodes

__all__ = ["ViewToReshape"]

_RESHAPES: Mapping[str, str] = {"view": "reshape", "_unsafe_view": "reshape", "view_as": "reshape_as"}


class ViewToReshape(DialectPass):
    """Turns ``view`` into ``reshape``, which gives the same numbers whatever the strides.

    ``view`` fails on strides that it cannot keep; without it a program runs the same whether a copy that only
    puts elements in order (``contiguous``) stands in it or not. Needs a program without in-place writes: then
    nobody sees that ``reshape`` may copy. The overload ``view.dtype`` reads bits and stays.
    """

    needs = frozenset([Guarantee.NO_WRITES])

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Change the model."""
        modified = False
        for node in all_nodes(model.graph):
            if node.domain == "aten" and not node.overload and node.op_type in _RESHAPES:
                node.op_type = _RESHAPES[node.op_type]
                modified = True
        return ir.passes.PassResult(model, modified)
