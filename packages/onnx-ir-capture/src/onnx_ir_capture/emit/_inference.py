"""Types of a node's outputs, by onnx's own inference for one node."""

from __future__ import annotations

import onnx
import onnx.shape_inference
import onnx_ir as ir

from onnx_ir_capture.emit._frame import constant_tensor

__all__ = ["infer_outputs"]

# Data propagation reads axes and shapes, which are short.
_DATA_LIMIT = 64


def infer_outputs(node: ir.Node, opset: int) -> None:
    """Set dtype and shape of the outputs of an ai.onnx node whose inputs are typed.

    Raises:
        onnx.shape_inference.InferenceError: the inputs contradict the operator's schema.
    """
    if node.domain or any(value is not None and value.type is None for value in node.inputs):
        return
    present = [value for value in node.inputs if value is not None]
    types = {value.name or "": _type_proto(value) for value in present}
    data = {
        value.name or "": ir.to_proto(tensor)
        for value in present
        if (tensor := constant_tensor(value)) is not None and tensor.size <= _DATA_LIMIT
    }
    schema = onnx.defs.get_schema(node.op_type, opset, "")
    inferred = onnx.shape_inference.infer_node_outputs(
        schema,
        ir.to_proto(node),
        types,
        data,
        opset_imports=[onnx.helper.make_opsetid("", opset)],
    )
    for output in node.outputs:
        proto = inferred.get(output.name or "")
        if proto is None:
            continue
        output.type = ir.serde.deserialize_type_proto_for_type(proto)
        output.shape = ir.serde.deserialize_type_proto_for_shape(proto)


def _type_proto(value: ir.Value) -> onnx.TypeProto:
    if value.type is None:
        raise ValueError(f"%{value.name} has no type")
    proto = ir.serde.serialize_type(value.type)
    if value.shape is not None:
        ir.serde.serialize_shape_into(proto, value.shape)
    return proto
