"""Quantized tensors as tuples of integers, scale, zero point and axis."""

from __future__ import annotations

import onnx_ir as ir
import torch

from onnx_export._torch_symbolics import GraphContext
from onnx_export.symbolic_helper._dtypes import JitScalarType
from onnx_export.symbolic_helper._errors import SymbolicValueError, _onnx_opset_unsupported_detailed
from onnx_export.symbolic_helper._values import _is_none, _is_tuple_construct, _parse_arg, _unpack_tuple

__all__ = ["_unpack_quantized_tensor", "dequantize_helper", "quantize_helper", "requantize_bias_helper"]

_FIRST_WITH_AXIS = 13


def _unpack_quantized_tensor(tuple_value: torch._C.Value) -> tuple[torch._C.Value, ...]:
    """The integers of a quantized tensor, its scale, its zero point, and the axis if there is one.

    Raises:
        SymbolicValueError: the value is no quantized tensor.
    """
    if not _is_tuple_construct(tuple_value):
        raise SymbolicValueError("a quantized tensor is wanted", tuple_value)
    members = _unpack_tuple(tuple_value)
    if len(members) not in (3, 4):
        raise SymbolicValueError(f"a quantized tensor has 3 or 4 parts, not {len(members)}", tuple_value)
    return members


def dequantize_helper(
    g: GraphContext, qtensor: torch._C.Value, qdtype: int | None = None
) -> tuple[torch._C.Value, torch._C.Value, torch._C.Value, torch._C.Value | None]:
    """Append the nodes that make floats of a quantized tensor.

    Args:
        g: where to.
        qtensor: the quantized tensor.
        qdtype: ONNX's number of the integers' dtype; by default the one that they have.

    Returns:
        The floats, and the tensor's scale, zero point and axis.
    """
    integers, scale, zero_point, *rest = _unpack_quantized_tensor(qtensor)
    axis = rest[0] if rest else None
    if qdtype is None:
        qdtype = JitScalarType.from_value(integers, JitScalarType.UINT8).onnx_type()
    scale = g.op("Cast", scale, to_i=ir.DataType.FLOAT)
    zero_point = g.op("Cast", zero_point, to_i=qdtype)
    floats = g.op(
        "DequantizeLinear",
        g.op("Cast", integers, to_i=qdtype),
        scale,
        zero_point,
        axis_i=_axis(g, "DequantizeLinear", axis),
    )
    return floats, scale, zero_point, axis


def quantize_helper(
    g: GraphContext,
    tensor: torch._C.Value,
    scale: torch._C.Value,
    zero_point: torch._C.Value,
    axis: torch._C.Value | None = None,
) -> torch._C.Value:
    """Append the nodes that quantize a tensor, and make the tuple that stands for the result.

    Args:
        g: where to.
        tensor: the floats.
        scale: its scale, one or one per channel.
        zero_point: its zero point, likewise.
        axis: the axis of the channels; None where there is one scale.
    """
    axis_number = _axis(g, "QuantizeLinear", axis)
    if JitScalarType.from_value(scale, JitScalarType.UNDEFINED) != JitScalarType.FLOAT:
        scale = g.op("Cast", scale, to_i=ir.DataType.FLOAT)
    bytes_ = (JitScalarType.UINT8, JitScalarType.INT8)
    if JitScalarType.from_value(zero_point, JitScalarType.UNDEFINED) not in bytes_:
        zero_point = g.op("Cast", zero_point, to_i=ir.DataType.UINT8)
    integers = g.op("QuantizeLinear", tensor, scale, zero_point, axis_i=axis_number)
    rest = [axis] if axis_number is not None else []
    return g.op("prim::TupleConstruct", integers, scale, zero_point, *rest)


def requantize_bias_helper(
    g: GraphContext,
    bias: torch._C.Value,
    input_scale: torch._C.Value,
    weight_scale: torch._C.Value,
    axis: torch._C.Value | None = None,
) -> torch._C.Value:
    """Quantize a bias to 32 bits, by the scale that products of input and weight have.

    Torch does that inside of its kernels. QuantizeLinear of older opsets does not make 32 bits.
    """
    scale = g.op("Mul", weight_scale, input_scale)
    zeros = g.op("ConstantOfShape", g.op("Shape", scale), value_t=torch.zeros(1, dtype=torch.int32))
    integers = g.op("Cast", g.op("Div", bias, scale), to_i=ir.DataType.INT32)
    rest = [] if _is_none(axis) else [axis]
    return g.op("prim::TupleConstruct", integers, scale, zeros, *rest)


def _axis(g: GraphContext, op_name: str, axis: torch._C.Value | None) -> int | None:
    found = _parse_arg(axis, "i", "axis", op_name)
    if not isinstance(found, int):
        return None
    if g.opset < _FIRST_WITH_AXIS:
        _onnx_opset_unsupported_detailed(
            op_name, g.opset, _FIRST_WITH_AXIS, "it has one scale for all channels", axis
        )
    return found
