"""``SymbolicContext``: the first parameter of every symbolic function."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Target
from onnx_ir_capture.emit import Emitter, GraphFrame

__all__ = ["SymbolicContext"]


class SymbolicContext(Emitter):
    """Emits ONNX operators into a graph of the caller's, in the form that the graph's opset has.

    ``g.Relu(x)`` appends a node and returns its output, with its dtype and shape inferred. Operators are
    called in their newest form; where the target has only an older one, or lacks the dtype, emit writes
    what it has.
    """

    @classmethod
    def of(cls, graph: ir.Graph) -> SymbolicContext:
        """A context that appends to ``graph``, in the ai.onnx opset that the graph imports.

        Raises:
            ValueError: the graph imports no opset of ai.onnx.
        """
        opset = graph.opset_imports.get("")
        if opset is None:
            raise ValueError("the graph imports no opset: give it opset_imports={'': 20}, for one")
        return cls(GraphFrame(graph, Target(opset)))
