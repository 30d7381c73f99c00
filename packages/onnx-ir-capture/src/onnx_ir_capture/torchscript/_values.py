"""Types and constants of TorchScript in the torch dialect."""

from __future__ import annotations

from collections.abc import Mapping

import onnx_ir as ir
import torch

from onnx_ir_capture.dialect import ListType, TupleType, scalar_type
from onnx_ir_capture.fx._values import UntypedError, element_type

__all__ = [
    "SCRIPT_DTYPES",
    "SCRIPT_LAYOUTS",
    "SCRIPT_MEMORY_FORMATS",
    "argument_constant",
    "dialect_type_of",
    "dtype_of_number",
    "typed_output",
    "value_of_type",
]

SCRIPT_DTYPES = (
    "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "complex32", "complex64",
    "complex128", "bool", "qint8", "quint8", "qint32", "bfloat16", "quint4x2", "quint2x4", "bits1x8",
    "bits2x4", "bits4x2", "bits8", "bits16", "float8_e5m2", "float8_e4m3fn", "float8_e5m2fnuz",
    "float8_e4m3fnuz", "uint16", "uint32", "uint64",
)  # fmt: skip
"""The names of the dtypes in the order of c10/core/ScalarType.h: in a graph a dtype is its number."""

SCRIPT_MEMORY_FORMATS = (
    torch.contiguous_format,
    torch.preserve_format,
    torch.channels_last,
    torch.channels_last_3d,
)
"""Memory formats by their numbers in a graph, those of c10/core/MemoryFormat.h."""

SCRIPT_LAYOUTS = (torch.strided, torch.sparse_coo, torch.sparse_csr)
"""Layouts by their numbers in a graph, those of c10/core/Layout.h."""

_SCALARS: Mapping[str, str] = {
    "IntType": "int",
    "FloatType": "float",
    "BoolType": "bool",
    "ComplexType": "complex",
    "StringType": "str",
    "NoneType": "None",
    "DeviceObjType": "device",
    "NumberType": "object",
}


def dialect_type_of(kind: torch._C.JitType) -> ir.TypeProtocol:
    """The dialect's type of a TorchScript type; a tensor of unknown dtype where the graph has none.

    Raises:
        UntypedError: ONNX has no element type for a tensor's dtype.
    """
    if isinstance(kind, torch._C.TensorType):
        dtype = kind.dtype()
        return ir.TensorType(ir.DataType.UNDEFINED if dtype is None else element_type(dtype))
    if isinstance(kind, torch._C.OptionalType):
        return dialect_type_of(kind.getElementType())
    if isinstance(kind, torch._C.ListType):
        return ListType(dialect_type_of(kind.getElementType()))
    if isinstance(kind, torch._C.TupleType):
        return TupleType([dialect_type_of(element) for element in kind.elements()])
    return scalar_type(_SCALARS.get(kind.kind(), "object"))


def dtype_of_number(number: int) -> object:
    """The dtype that a number stands for where a graph has one."""
    return getattr(torch, SCRIPT_DTYPES[number])


def argument_constant(value: object, kind: torch._C.JitType) -> object:
    """A constant of a graph as the argument of a schema's type: numbers that stand for dtypes and the like.

    Args:
        value: the number, or anything else, which is returned as it is.
        kind: the argument's ``real_type``.
    """
    while isinstance(kind, torch._C.OptionalType):
        kind = kind.getElementType()
    name = str(kind)
    if isinstance(value, int) and not isinstance(value, bool):
        if name == "ScalarType":
            return dtype_of_number(value)
        if name == "MemoryFormat":
            return SCRIPT_MEMORY_FORMATS[value]
        if name == "Layout":
            return SCRIPT_LAYOUTS[value]
    if name == "Device" and isinstance(value, str):
        return torch.device(value)
    return value


_SEQUENCES = frozenset(["ListType", "TupleType"])


def typed_output(
    value: torch._C.Value, name: str, *, is_refused: bool = False, is_sized: bool = False
) -> ir.Value:
    """A dialect value with the type that TorchScript has for it: dtype and rank, and sizes if ``is_sized``.

    Raises:
        UntypedError: ONNX has no element type for it, and it does not stand for what ``is_refused``.
    """
    try:
        return value_of_type(value.type(), name, is_sized=is_sized)
    except UntypedError:
        if not is_refused:
            raise
        return ir.Value(name=name, type=ir.TensorType(ir.DataType.UNDEFINED))


def value_of_type(kind: torch._C.JitType, name: str, *, is_sized: bool = False) -> ir.Value:
    """A dialect value of a TorchScript type: dtype and rank, and sizes if ``is_sized``."""
    while isinstance(kind, torch._C.OptionalType):
        kind = kind.getElementType()
    shape: ir.Shape | None = ir.Shape(())
    if isinstance(kind, torch._C.TensorType):
        sizes = kind.sizes()
        shape = None if sizes is None else ir.Shape(sizes if is_sized else [None] * len(sizes))
    elif kind.kind() in _SEQUENCES:
        shape = None
    return ir.Value(name=name, type=dialect_type_of(kind), shape=shape)
