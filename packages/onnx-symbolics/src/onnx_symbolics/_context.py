"""``SymbolicContext``: the first parameter of every symbolic function."""

from __future__ import annotations

from onnx_ir_capture.emit import Emitter

__all__ = ["SymbolicContext"]


class SymbolicContext(Emitter):
    """Emits ONNX operators into a graph of the caller's, in the form that the graph's opset has.

    ``g.Relu(x)`` appends a node and returns its output, with its dtype and shape inferred. Operators are
    called in their newest form; where the target has only an older one, or lacks the dtype, emit writes
    what it has.
    """
