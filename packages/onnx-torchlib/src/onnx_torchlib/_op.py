"""``Op``: the first parameter of every translator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import onnx_ir as ir
from onnxscript import GraphBuilder

from onnx_ir_capture.emit import Emitter, GraphFrame, infer_outputs, schemas

if TYPE_CHECKING:
    from onnx_ir_capture.emit import AttributeValue

__all__ = ["Op"]


class _Builder(GraphBuilder):
    """onnxscript's builder for nodes whose inputs and attributes are told apart and checked already."""

    def _partition_inputs_attributes(
        self, schema: object, args: Sequence[object], kwargs: dict[str, object]
    ) -> tuple[Sequence[object], dict[str, object]]:
        # The builder's own step makes the operator's signature anew for each node: a quarter of lowering.
        return args, kwargs

    def _infer_shapes(self, node: ir.Node) -> None:
        """By emit's inference: the builder's own reads small weights, and goes on after a contradiction."""
        if node.version is None:
            raise RuntimeError(f"{node.op_type} was made without an opset")
        infer_outputs(node, node.version)

    def _annotate_node(self, node: ir.Node) -> None:
        """Nothing: a node's origin in the model is written by lowering."""


class Op(Emitter):
    """Emits ONNX operators through onnxscript's graph builder, which propagates constants.

    ``op.Relu(x)`` appends a node and returns its output. Operators take their newest form; Python numbers
    become constants of the dtype that the other inputs have.
    """

    def __init__(self, frame: GraphFrame) -> None:
        super().__init__(frame)
        self._builder = _Builder(frame.graph)

    def _append(
        self,
        op_type: str,
        inputs: Sequence[ir.Value | None],
        attributes: Mapping[str, AttributeValue],
        outputs: int,
    ) -> tuple[ir.Value, ...]:
        attrs = _typed(schemas.form(op_type, self.opset), attributes)
        result = self._builder.call_op(op_type, inputs, attrs, version=self.opset, outputs=outputs)
        values = (result,) if isinstance(result, ir.Value) else tuple(result)
        node = values[0].producer()
        if node is None:
            raise RuntimeError(f"onnxscript's builder made no node for {op_type}")
        node.metadata_props.clear()
        self.frame.created(node)
        return values


def _typed(form: schemas.OperatorForm, attributes: Mapping[str, AttributeValue]) -> dict[str, ir.Attr]:
    """The attributes in the types and the order of the operator's schema.

    Raises:
        TypeError: one is missing, or the operator has no such attribute.
    """
    formal = form.attributes
    if unknown := attributes.keys() - formal.keys():
        raise TypeError(f"{form.op_type}-{form.since} has no attribute {', '.join(sorted(unknown))}")
    missing = [name for name, attribute in formal.items() if attribute.required and name not in attributes]
    if missing:
        raise TypeError(f"{form.op_type}-{form.since} needs the attribute {', '.join(missing)}")
    return {
        name: ir.Attr(name, attribute.type, attributes[name])
        for name, attribute in formal.items()
        if name in attributes
    }
