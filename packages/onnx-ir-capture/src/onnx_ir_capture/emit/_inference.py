"""Types of a node's outputs, by onnx's own inference for one node."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

import onnx
import onnx.shape_inference
import onnx_ir as ir

from onnx_ir_capture.emit._frame import constant_tensor

__all__ = ["infer_outputs"]

# Data propagation reads axes and shapes, which are short.
_DATA_LIMIT = 64

_HASHABLE = frozenset(
    {
        ir.AttributeType.INT,
        ir.AttributeType.INTS,
        ir.AttributeType.FLOAT,
        ir.AttributeType.FLOATS,
        ir.AttributeType.STRING,
        ir.AttributeType.STRINGS,
    }
)

_Dims: TypeAlias = tuple[int | str | None, ...]
_Outputs: TypeAlias = tuple[tuple[ir.DataType, _Dims | None] | None, ...]
"""Dtype and sizes of each output; None for one of which nothing is known."""


class _Operand(NamedTuple):
    """What inference knows of a tensor: its dtype, its sizes, and its bytes if it is short and constant."""

    dtype: ir.DataType
    dims: _Dims | None
    shape: tuple[int, ...] = ()
    """That of ``data``."""
    data: bytes | None = None


class _Form(NamedTuple):
    """All that the types of a node's outputs depend on."""

    op_type: str
    opset: int
    attributes: tuple[tuple[str, ir.AttributeType, object], ...]
    operands: tuple[_Operand | None, ...]
    outputs: int


def infer_outputs(node: ir.Node, opset: int) -> None:
    """Set dtype and shape of the outputs of an ai.onnx node whose inputs are typed.

    Raises:
        onnx.shape_inference.InferenceError: the inputs contradict the operator's schema.
    """
    if node.domain or any(value is not None and value.type is None for value in node.inputs):
        return
    found = _known(node, opset)
    if found is None:
        _infer_anew(node, opset)
        return
    for output, tensor in zip(node.outputs, found, strict=True):
        if tensor is not None:
            dtype, dims = tensor
            output.type = ir.TensorType(dtype)
            output.shape = None if dims is None else ir.Shape(dims)


def _known(node: ir.Node, opset: int) -> _Outputs | None:
    """The outputs of nodes of this form; None where they are to be inferred for the node itself."""
    form = _form(node, opset)
    try:
        return None if form is None else _inferred(form)
    except onnx.shape_inference.InferenceError:
        return None  # to be raised with the names of the node's own values


def _form(node: ir.Node, opset: int) -> _Form | None:
    """The form of a node; None if something other than tensors, numbers and texts goes into it."""
    operands: list[_Operand | None] = []
    for value in node.inputs:
        if value is None:
            operands.append(None)
            continue
        if type(value.type) is not ir.TensorType:
            return None
        tensor = _short_constant(value)
        dims = None if value.shape is None else tuple(map(_dim, value.shape))
        if tensor is None:
            operands.append(_Operand(value.type.dtype, dims))
        else:
            shape = tuple(int(size) for size in tensor.shape.numpy())
            operands.append(_Operand(value.type.dtype, dims, shape, tensor.tobytes()))
    attributes = tuple((name, attr.type, attr.value) for name, attr in node.attributes.items())
    if any(kind not in _HASHABLE for _, kind, _ in attributes):
        return None
    return _Form(node.op_type, opset, attributes, tuple(operands), len(node.outputs))


def _short_constant(value: ir.Value) -> ir.TensorProtocol | None:
    tensor = constant_tensor(value)
    return None if tensor is None or tensor.size > _DATA_LIMIT else tensor


def _dim(size: int | ir.SymbolicDim) -> int | str | None:
    return size if isinstance(size, int) else size.value


@functools.lru_cache(maxsize=4096)
def _inferred(form: _Form) -> _Outputs | None:
    """The outputs of a form, if they are tensors: layers repeat, and with them the forms of their nodes."""
    inputs: list[ir.Value | None] = []
    data: dict[str, onnx.TensorProto] = {}
    for position, operand in enumerate(form.operands):
        if operand is None:
            inputs.append(None)
            continue
        name, shape = f"input_{position}", None if operand.dims is None else ir.Shape(operand.dims)
        inputs.append(ir.Value(name=name, type=ir.TensorType(operand.dtype), shape=shape))
        if operand.data is not None:
            data[name] = onnx.TensorProto(
                data_type=operand.dtype, dims=operand.shape, raw_data=operand.data, name=name
            )
    attributes = [ir.Attr(*attribute) for attribute in form.attributes]
    node = ir.Node("", form.op_type, inputs, attributes, num_outputs=form.outputs)
    for position, output in enumerate(node.outputs):
        output.name = f"output_{position}"
    _run(node, form.opset, data)
    if not all(output.type is None or type(output.type) is ir.TensorType for output in node.outputs):
        return None
    return tuple(
        (output.type.dtype, None if output.shape is None else tuple(map(_dim, output.shape)))
        if output.type is not None
        else None
        for output in node.outputs
    )


def _infer_anew(node: ir.Node, opset: int) -> None:
    data = {
        value.name or "": ir.serde.serialize_tensor(tensor)
        for value in node.inputs
        if value is not None and (tensor := _short_constant(value)) is not None
    }
    _run(node, opset, data)


def _run(node: ir.Node, opset: int, data: Mapping[str, onnx.TensorProto]) -> None:
    inferred = onnx.shape_inference.infer_node_outputs(
        onnx.defs.get_schema(node.op_type, opset, ""),
        ir.serde.serialize_node(node),
        {value.name or "": _type_proto(value) for value in node.inputs if value is not None},
        dict(data),
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
