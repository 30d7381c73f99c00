"""Constants of the torch dialect: ``prim::Constant`` nodes and what stands in them.

An int, a float, a bool and None are four different things here although ``1 == 1.0 == True``. Doubles are
kept as text, since an ONNX FLOAT attribute has 32 bits on disk and ``1e-5`` would come back changed.
"""

from __future__ import annotations

import dataclasses

import onnx_ir as ir

from onnx_ir_capture.dialect._types import ScalarKind, scalar_type

__all__ = [
    "ConstantValue",
    "Device",
    "Layout",
    "MemoryFormat",
    "TorchDType",
    "constant_key",
    "constant_kind",
    "constant_node",
    "constant_value",
    "decode_constant",
    "is_constant",
    "same_constant",
]

# Torch's names of the dtypes that ONNX has too (onnx/onnx.in.proto, TensorProto.DataType).
_ONNX_DTYPES = {
    "float64": ir.DataType.DOUBLE,
    "float32": ir.DataType.FLOAT,
    "float16": ir.DataType.FLOAT16,
    "bfloat16": ir.DataType.BFLOAT16,
    "int64": ir.DataType.INT64,
    "int32": ir.DataType.INT32,
    "int16": ir.DataType.INT16,
    "int8": ir.DataType.INT8,
    "uint64": ir.DataType.UINT64,
    "uint32": ir.DataType.UINT32,
    "uint16": ir.DataType.UINT16,
    "uint8": ir.DataType.UINT8,
    "bool": ir.DataType.BOOL,
    "complex64": ir.DataType.COMPLEX64,
    "complex128": ir.DataType.COMPLEX128,
    "float8_e4m3fn": ir.DataType.FLOAT8E4M3FN,
    "float8_e4m3fnuz": ir.DataType.FLOAT8E4M3FNUZ,
    "float8_e5m2": ir.DataType.FLOAT8E5M2,
    "float8_e5m2fnuz": ir.DataType.FLOAT8E5M2FNUZ,
    "float8_e8m0fnu": ir.DataType.FLOAT8E8M0,
    "float4_e2m1fn_x2": ir.DataType.FLOAT4E2M1,
    "quint8": ir.DataType.UINT8,
    "qint8": ir.DataType.INT8,
    "qint32": ir.DataType.INT32,
}


@dataclasses.dataclass(frozen=True)
class TorchDType:
    """A ``torch.dtype`` by its name without ``torch.``, such as ``float32``."""

    name: str

    @property
    def onnx(self) -> ir.DataType:
        """The ONNX element type with the same values.

        Raises:
            ValueError: ONNX has no such element type (``complex32``, for one).
        """
        if self.name not in _ONNX_DTYPES:
            raise ValueError(f"ONNX has no element type for torch.{self.name}")
        return _ONNX_DTYPES[self.name]


@dataclasses.dataclass(frozen=True)
class Device:
    """A ``torch.device`` by its text, such as ``cuda:0``."""

    name: str


@dataclasses.dataclass(frozen=True)
class Layout:
    """A ``torch.layout`` by its name without ``torch.``, such as ``strided``."""

    name: str


@dataclasses.dataclass(frozen=True)
class MemoryFormat:
    """A ``torch.memory_format`` by its name without ``torch.``, such as ``channels_last``."""

    name: str


ConstantValue = int | float | bool | complex | str | None | TorchDType | Device | Layout | MemoryFormat
"""What a ``prim::Constant`` can hold."""

_NAMED: dict[ScalarKind, type[TorchDType | Device | Layout | MemoryFormat]] = {
    "dtype": TorchDType,
    "device": Device,
    "layout": Layout,
    "memory_format": MemoryFormat,
}


def constant_kind(value: ConstantValue) -> ScalarKind:
    """The scalar kind of a Python value; bool before int, since ``isinstance(True, int)``."""
    if value is None:
        return "None"
    for kind, cls in _NAMED.items():
        if isinstance(value, cls):
            return kind
    for scalar in (bool, int, float, complex, str):
        if isinstance(value, scalar):
            return scalar.__name__
    raise TypeError(f"{value!r} ({type(value).__name__}) is no constant of the torch dialect")


def constant_key(value: ConstantValue) -> tuple[str, str]:
    """Equal for two constants if and only if they are the same to every operator.

    It holds the kind, since ``1 == 1.0 == True``, and the text, since ``0.0 == -0.0`` and ``nan != nan``.
    """
    if isinstance(value, float):
        return "float", float.__repr__(value)
    return constant_kind(value), repr(value)


def same_constant(one: ir.Value, other: ir.Value) -> bool:
    """Whether two values are constants that may be merged into one."""
    if not is_constant(one) or not is_constant(other):
        return False
    return constant_key(constant_value(one)) == constant_key(constant_value(other))


def constant_node(value: ConstantValue, name: str | None = None) -> ir.Node:
    """A ``prim::Constant`` whose output holds ``value``."""
    kind = constant_kind(value)
    output = ir.Value(name=name, type=scalar_type(kind), shape=ir.Shape(()))
    attributes = [ir.AttrString("kind", kind)]
    if isinstance(value, bool | int):
        # 64 bits are what an ONNX INT attribute has; Python's ints beyond that are no torch ints either.
        attributes.append(ir.AttrInt64("value", int(value)))
    elif isinstance(value, float | complex):
        # By class, since a float64 of numpy is a float with a repr that float() does not read.
        text = float.__repr__(value) if isinstance(value, float) else complex.__repr__(value)
        attributes.append(ir.AttrString("value", text))
    elif isinstance(value, str):
        attributes.append(ir.AttrString("value", value))
    elif value is not None:
        attributes.append(ir.AttrString("value", value.name))
    node = ir.Node("prim", "Constant", [], attributes, outputs=[output])
    node.meta["value"] = value
    return node


def is_constant(value: ir.Value) -> bool:
    """Whether the value comes from a ``prim::Constant``."""
    node = value.producer()
    return node is not None and node.domain == "prim" and node.op_type == "Constant"


def constant_value(value: ir.Value) -> ConstantValue:
    """What the ``prim::Constant`` behind ``value`` holds.

    Raises:
        ValueError: the value is not a constant.
    """
    node = value.producer()
    if node is None or node.domain != "prim" or node.op_type != "Constant":
        raise ValueError(f"%{value.name} is no constant")
    if "value" in node.meta:
        stored: ConstantValue = node.meta["value"]
        return stored
    decoded = decode_constant(node)
    node.meta["value"] = decoded
    return decoded


def decode_constant(node: ir.Node) -> ConstantValue:
    """What the attributes of a ``prim::Constant`` say.

    Raises:
        ValueError: they say nothing of sense.
    """
    kind = node.attributes.get_string("kind")
    if kind == "None":
        return None
    if kind in ("int", "bool"):
        number = node.attributes["value"].as_int()
        return bool(number) if kind == "bool" else number
    text = node.attributes["value"].as_string()
    if kind in _NAMED:
        return _NAMED[kind](text)
    if kind == "float":
        return float(text)
    if kind == "complex":
        return complex(text)
    if kind == "str":
        return text
    raise ValueError(f"node {node.name}: prim::Constant of unknown kind {kind!r}")
