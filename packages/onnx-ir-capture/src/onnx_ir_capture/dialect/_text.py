"""Leaves of the text form that printer and parser share: names, dimensions, constants, inferred types.

A name stands bare where that cannot be misread, else as a JSON string, so that every text has one meaning.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.dialect._build import OpName
from onnx_ir_capture.dialect._constants import (
    ConstantValue,
    Device,
    Layout,
    MemoryFormat,
    TorchDType,
    constant_kind,
)
from onnx_ir_capture.dialect._cursor import Cursor
from onnx_ir_capture.dialect._types import (
    ListType,
    ScalarType,
    TupleType,
    common_element,
    is_plain_tensor,
    scalar_type,
    type_text,
)

__all__ = [
    "INTEGER",
    "WORD",
    "constant_text",
    "default_shape",
    "dim_text",
    "inferred_type",
    "op_text",
    "read_constant",
    "read_op",
    "read_shape",
    "shape_text",
    "typed_text",
    "value_text",
    "word",
]

WORD = re.compile(r"[A-Za-z0-9_./][A-Za-z0-9_./$-]*")
"""What a value, module or file may be called without quotes."""

INTEGER = re.compile(r"-?[0-9]+(?![\w.])")
"""An int; what goes on with a letter or a point is a float or something else."""

_FLOAT = re.compile(r"-?(?:[0-9]+\.[0-9]*(?:e[+-]?[0-9]+)?|[0-9]+e[+-]?[0-9]+|inf|nan)(?![\w.])")
_SIZE = re.compile(r"-?[0-9]+(?=\s*[,\]])")
_SIMPLE: dict[str, bool | None] = {"True": True, "False": False, "None": None}
_NAMED: dict[str, type[TorchDType | Device | Layout | MemoryFormat]] = {
    "dtype.": TorchDType,
    "device.": Device,
    "layout.": Layout,
    "memory_format.": MemoryFormat,
}

_PLAIN_DOMAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_PLAIN_OP = re.compile(r"[A-Za-z0-9_]+")
_PLAIN_DIM = re.compile(r"[A-Za-z_(][A-Za-z0-9_+*/%().,<>= -]*|[0-9]+ ?[+*/%-][A-Za-z0-9_+*/%().,<>= -]*")
_PLAIN_DEVICE = re.compile(r"[A-Za-z0-9_]+(:[0-9]+)?")


def word(text: str) -> str:
    """``text`` bare where possible, else quoted."""
    return text if WORD.fullmatch(text) else json.dumps(text)


def value_text(value: ir.Value | None) -> str:
    """``%name``; ``_`` for the hole that ONNX calls an omitted input."""
    return "_" if value is None else "%" + word(value.name or "")


def op_text(node: ir.Node) -> str:
    """``domain::name.overload`` with quotes where a part needs them."""
    parts = [_quoted_unless(_PLAIN_DOMAIN, node.domain), "::", _quoted_unless(_PLAIN_OP, node.op_type)]
    if node.overload:
        parts += [".", _quoted_unless(_PLAIN_OP, node.overload)]
    return "".join(parts)


def _quoted_unless(plain: re.Pattern[str], text: str) -> str:
    return text if plain.fullmatch(text) else json.dumps(text)


def dim_text(dim: int | ir.SymbolicDim) -> str:
    """A size, a name or an expression of names; ``?`` where nothing is known."""
    if isinstance(dim, int):
        return str(dim)
    text = dim.value
    if text is None:
        return "?"
    plain = _PLAIN_DIM.fullmatch(text) and text == text.strip() and _commas_are_nested(text)
    return text if plain else json.dumps(text)


def _commas_are_nested(text: str) -> bool:
    depth = 0
    for char in text:
        depth += {"(": 1, ")": -1}.get(char, 0)
        if depth < 0 or (char == "," and depth == 0):
            return False
    return depth == 0


def default_shape(type_: ir.TypeProtocol | None) -> tuple[()] | None:
    """The shape that goes without saying: ``()`` of a scalar, none of a list, tuple or unknown type."""
    return () if isinstance(type_, ScalarType) else None


def shape_text(shape: ir.Shape | None) -> str:
    """``[2, batch]``; ``[...]`` where not even the rank is known."""
    return "[...]" if shape is None else f"[{', '.join(map(dim_text, shape))}]"


def typed_text(value: ir.Value) -> str:
    """Type and shape of a value: ``f32[batch, 3]``, ``int``, ``list<int>``, ``?``."""
    type_, shape = value.type, value.shape
    text = type_text(type_)
    default = default_shape(type_)
    told = shape is None if default is None else shape is not None and len(shape) == 0
    return text if told and not is_plain_tensor(type_) else text + shape_text(shape)


def constant_text(value: ConstantValue) -> str:
    """A constant as it stands in an argument list; each kind has a form of its own."""
    if isinstance(value, float):
        return float.__repr__(value)
    if isinstance(value, complex):
        return f"complex({float.__repr__(value.real)}, {float.__repr__(value.imag)})"
    if isinstance(value, str):
        return json.dumps(value)
    if value is None or isinstance(value, bool | int):
        return repr(value)
    plain = _PLAIN_OP if isinstance(value, TorchDType) else _PLAIN_DEVICE
    return f"{constant_kind(value)}.{_quoted_unless(plain, value.name)}"


def read_op(cursor: Cursor) -> OpName:
    """Read what :func:`op_text` writes."""
    domain = cursor.word(_PLAIN_DOMAIN, "an operator, such as aten::add.Tensor")
    cursor.expect("::")
    name = cursor.word(_PLAIN_OP, "an operator's name")
    overload = cursor.word(_PLAIN_OP, "an overload's name") if cursor.accept(".") else ""
    return OpName(domain, name, overload)


def read_shape(cursor: Cursor) -> ir.Shape | None:
    """Read what :func:`shape_text` writes."""
    cursor.expect("[")
    if cursor.accept("..."):
        cursor.expect("]")
        return None
    dims: list[int | str | None] = []
    while not cursor.accept("]"):
        if dims:
            cursor.expect(",", "',' or ']'")
        dims.append(_read_dim(cursor))
    return ir.Shape(dims)


def _read_dim(cursor: Cursor) -> int | str | None:
    start = cursor.position
    quoted = cursor.string()
    if quoted is not None:
        return quoted
    size = cursor.match(_SIZE)
    if size is not None:
        return int(size)
    text = cursor.before(",]\n")
    if text == "?":
        return None
    if not _PLAIN_DIM.fullmatch(text) or not _commas_are_nested(text):
        raise cursor.error("a size, a name, an expression or '?'", start)
    return text


def read_constant(cursor: Cursor) -> tuple[ConstantValue] | None:
    """Read what :func:`constant_text` writes, in a tuple since it may be None; None if none comes next."""
    text = cursor.string()
    if text is not None:
        return (text,)
    number = cursor.match(_FLOAT)
    if number is not None:
        return (float(number),)
    number = cursor.match(INTEGER)
    if number is not None:
        return (int(number),)
    for literal, value in _SIMPLE.items():
        if cursor.accept(literal):
            return (value,)
    if cursor.accept("complex("):
        return (_read_complex(cursor),)
    for prefix, cls in _NAMED.items():
        if cursor.accept(prefix):
            return (cls(cursor.word(_PLAIN_DEVICE, f"the name of a {prefix[:-1]}")),)
    return None


def _read_complex(cursor: Cursor) -> complex:
    real = cursor.match(_FLOAT)
    cursor.expect(",", "a float and ','")
    imag = cursor.match(_FLOAT)
    cursor.expect(")", "a float and ')'")
    if real is None or imag is None:
        raise cursor.error("two floats in complex(...)")
    return complex(float(real), float(imag))


def inferred_type(kind: str, items: Sequence[ir.Value | None]) -> ir.TypeProtocol | None:
    """Type of a list or tuple by its items' types, None where the items leave it open."""
    types = [None if item is None else item.type for item in items]
    if kind == "TupleConstruct":
        return TupleType([type_ or scalar_type("None") for type_ in types])
    element = common_element(types)
    return None if element is None else ListType(element)
