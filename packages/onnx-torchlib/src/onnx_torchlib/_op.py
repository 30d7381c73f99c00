"""``Op``: the first parameter of every translator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import onnx_ir as ir
from onnxscript import GraphBuilder

from onnx_ir_capture.emit import Emitter, GraphFrame

if TYPE_CHECKING:
    from onnx_ir_capture.emit import AttributeValue

__all__ = ["Op"]

# The builder notes a contradiction between a node and its schema here, and goes on.
_INFERENCE_ERROR = "pkg.onnxscript.shape_inference_error"


class Op(Emitter):
    """Emits ONNX operators through onnxscript's graph builder, which infers types and propagates constants.

    ``op.Relu(x)`` appends a node and returns its output. Operators take their newest form; Python numbers
    become constants of the dtype that the other inputs have.
    """

    def __init__(self, frame: GraphFrame) -> None:
        super().__init__(frame)
        self._builder = GraphBuilder(frame.graph)

    def _append(
        self,
        op_type: str,
        inputs: Sequence[ir.Value | None],
        attributes: Mapping[str, AttributeValue],
        outputs: int,
    ) -> tuple[ir.Value, ...]:
        result = self._builder.call_op(op_type, inputs, dict(attributes), version=self.opset, outputs=outputs)
        values = (result,) if isinstance(result, ir.Value) else tuple(result)
        node = values[0].producer()
        if node is None:
            raise RuntimeError(f"onnxscript's builder made no node for {op_type}")
        if (fault := node.metadata_props.get(_INFERENCE_ERROR)) is not None:
            raise ValueError(f"{op_type} does not fit its inputs: {fault}")
        node.metadata_props.clear()
        self.frame.created(node)
        return values
