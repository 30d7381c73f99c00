"""Types of the torch dialect: tensors, Python scalars, lists and tuples.

A tensor has an ordinary ``ir.TensorType``, and its shape stands on the value. Everything that is not a
tensor has a subclass of ``ir.TensorType`` or ``ir.SequenceType`` with a ``denotation`` that starts with
``torch.``: onnx_ir can serialise those, the ONNX checker accepts them, and :func:`restore_type` turns what
is read back from a file into the dialect's own class again. The text form of every type is what the
printer writes and :func:`parse_type` reads: ``f32``, ``int``, ``list<int>``, ``tuple<f32, int>``.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence

import onnx_ir as ir

from onnx_ir_capture.dialect._cursor import Cursor
from onnx_ir_capture.dialect._errors import DialectSyntaxError

__all__ = [
    "ListType",
    "ScalarKind",
    "ScalarType",
    "TupleType",
    "common_element",
    "is_plain_tensor",
    "parse_type",
    "read_type",
    "restore_type",
    "scalar_type",
    "type_text",
]

_PREFIX = "torch."
_NAME = re.compile(r"[A-Za-z0-9_]+|\?")

# What a scalar is on disk. UNDEFINED passes the checker, and no ONNX type says "a dtype".
_DISK_TYPE = {
    "int": ir.DataType.INT64,
    "float": ir.DataType.DOUBLE,
    "bool": ir.DataType.BOOL,
    "complex": ir.DataType.COMPLEX128,
    "str": ir.DataType.STRING,
    "None": ir.DataType.UNDEFINED,
    "dtype": ir.DataType.UNDEFINED,
    "device": ir.DataType.UNDEFINED,
    "layout": ir.DataType.UNDEFINED,
    "memory_format": ir.DataType.UNDEFINED,
    "object": ir.DataType.UNDEFINED,
}

ScalarKind = str
"""One of ``int float bool complex str None dtype device layout memory_format object``.

``object`` is an opaque value that only the interpreter can make (a generator, a script object)."""


class ScalarType(ir.TensorType):
    """Type of a Python scalar: never to be confused with a 0-d tensor of the same numbers.

    Values of this type have shape ``()``. One instance serves a whole program, so its dtype is fixed.
    """

    __slots__ = ()

    def __init__(self, kind: ScalarKind) -> None:
        if kind not in _DISK_TYPE:
            raise ValueError(f"no scalar kind {kind!r}; the kinds are {', '.join(_DISK_TYPE)}")
        super().__init__(_DISK_TYPE[kind], denotation=_PREFIX + kind)

    @property
    def kind(self) -> ScalarKind:
        """The Python type's name, such as ``int``."""
        return (self.denotation or "")[len(_PREFIX) :]

    @property
    def dtype(self) -> ir.DataType:
        """Element type used on disk."""
        return super().dtype

    @dtype.setter
    def dtype(self, value: ir.DataType) -> None:
        raise TypeError(f"the dtype of a {self.kind} is fixed: the type object is shared by many values")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ScalarType) and other.denotation == self.denotation

    def __hash__(self) -> int:
        return hash(self.denotation)

    def __str__(self) -> str:
        return self.kind


@functools.cache
def scalar_type(kind: ScalarKind) -> ScalarType:
    """The shared :class:`ScalarType` of ``kind``."""
    return ScalarType(kind)


class ListType(ir.SequenceType):
    """Type of a Python list whose elements all have one type."""

    __slots__ = ()

    def __init__(self, element: ir.TypeProtocol) -> None:
        super().__init__(element, denotation=_PREFIX + "list")

    def __str__(self) -> str:
        return f"list<{type_text(self.elem_type)}>"


class TupleType(ir.SequenceType):
    """Type of a Python tuple. The file knows only the first element's type; the denotation holds all."""

    __slots__ = ("_elements",)

    def __init__(self, elements: Sequence[ir.TypeProtocol]) -> None:
        first = elements[0] if elements else scalar_type("None")
        text = ", ".join(type_text(element) for element in elements)
        super().__init__(first, denotation=f"{_PREFIX}tuple<{text}>")
        self._elements = tuple(elements)

    @property
    def elements(self) -> tuple[ir.TypeProtocol, ...]:
        """The elements' types, in order."""
        return self._elements

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TupleType) and other.elements == self.elements

    def __hash__(self) -> int:
        return hash(self.denotation)

    def __str__(self) -> str:
        return (self.denotation or "")[len(_PREFIX) :]


def common_element(types: Iterable[ir.TypeProtocol | None]) -> ir.TypeProtocol | None:
    """Type of a list's elements by its items' types; None where they leave it open or have none in common.

    None among the items does not count, since lists of optional tensors hold it. Tensors of several dtypes
    have the tensor of unknown dtype in common.
    """
    known = {type_text(type_): type_ for type_ in types if type_ is not None and type_ != scalar_type("None")}
    if len(known) == 1:
        return next(iter(known.values()))
    if known and all(is_plain_tensor(type_) for type_ in known.values()):
        return ir.TensorType(ir.DataType.UNDEFINED)
    return None


def is_plain_tensor(type_: ir.TypeProtocol | None) -> bool:
    """Whether the type is a tensor's, and no scalar's."""
    return isinstance(type_, ir.TensorType) and not isinstance(type_, ScalarType)


def type_text(type_: ir.TypeProtocol | None) -> str:
    """Text form of a type without shape: ``f32``, ``int``, ``list<int>``; ``?`` where nothing is known."""
    if type_ is None:
        return "?"
    if isinstance(type_, ScalarType | ListType | TupleType):
        return str(type_)
    if isinstance(type_, ir.TensorType):
        return _dtype_text(type_.dtype)
    raise TypeError(f"{type_!r} is no type of the torch dialect")


def _dtype_text(dtype: ir.DataType) -> str:
    return "?" if dtype == ir.DataType.UNDEFINED else dtype.short_name()


def restore_type(type_: ir.TypeProtocol | None) -> ir.TypeProtocol | None:
    """The dialect's class for a type that was read from a file, told by its denotation."""
    denotation = getattr(type_, "denotation", None)
    if type_ is None or not isinstance(denotation, str) or not denotation.startswith(_PREFIX):
        return type_
    text = denotation[len(_PREFIX) :]
    if text == "list" and isinstance(type_, ir.SequenceType):
        return ListType(restore_type(type_.elem_type) or scalar_type("None"))
    return parse_type(text)


def parse_type(text: str) -> ir.TypeProtocol:
    """Read what :func:`type_text` writes.

    Raises:
        ValueError: the text is no type; the message holds it.
    """
    if text in _DISK_TYPE:
        return scalar_type(text)
    cursor = Cursor(text)
    try:
        result = read_type(cursor)
        if not cursor.at_end():
            raise cursor.error("the end")
    except DialectSyntaxError as error:
        raise ValueError(f"{text!r} is no type of the torch dialect: {error}") from None
    return result


def read_type(cursor: Cursor) -> ir.TypeProtocol:
    """Read the type that comes next.

    Raises:
        DialectSyntaxError: no type does.
    """
    start = cursor.position
    word = cursor.match(_NAME) or ""
    if word == "list":
        cursor.expect("<")
        element = read_type(cursor)
        cursor.expect(">")
        return ListType(element)
    if word == "tuple":
        return TupleType(_read_elements(cursor))
    if word in _DISK_TYPE:
        return scalar_type(word)
    if word == "?":
        return ir.TensorType(ir.DataType.UNDEFINED)
    try:
        return ir.TensorType(ir.DataType.from_short_name(word))
    except TypeError:
        raise cursor.error("a type, such as f32, int or list<int>", start) from None


def _read_elements(cursor: Cursor) -> list[ir.TypeProtocol]:
    cursor.expect("<")
    elements: list[ir.TypeProtocol] = []
    while not cursor.accept(">"):
        if elements:
            cursor.expect(",", "',' or '>'")
        elements.append(read_type(cursor))
    return elements
