"""Dtypes by the names and numbers that TorchScript has for them."""

from __future__ import annotations

import enum
from collections.abc import Iterable

import onnx_ir as ir
import torch

from onnx_export._torch_symbolics._promotion import promoted
from onnx_ir_capture.dialect import TorchDType

__all__ = [
    "JitScalarType",
    "_is_bool",
    "_is_fp",
    "_try_get_scalar_type",
    "_type_promote_from_values",
    "args_have_same_dtype",
    "cast_pytorch_to_onnx",
    "is_complex_value",
    "pytorch_name_to_type",
    "scalar_name_to_pytorch",
    "scalar_type_to_onnx",
    "scalar_type_to_pytorch_type",
]


class JitScalarType(enum.IntEnum):
    """A dtype, by the number that TorchScript has for it."""

    UINT8 = 0
    INT8 = 1
    INT16 = 2
    INT = 3
    INT64 = 4
    HALF = 5
    FLOAT = 6
    DOUBLE = 7
    COMPLEX32 = 8
    COMPLEX64 = 9
    COMPLEX128 = 10
    BOOL = 11
    QINT8 = 12
    QUINT8 = 13
    QINT32 = 14
    BFLOAT16 = 15
    UNDEFINED = 20

    @classmethod
    def from_dtype(cls, dtype: torch.dtype | None) -> JitScalarType:
        """The member for a dtype of torch.

        Raises:
            ValueError: TorchScript's older graphs have no such dtype.
        """
        for member, row in _ROWS.items():
            if row[0] == dtype:
                return member
        raise ValueError(f"{dtype} has no number among TorchScript's dtypes")

    @classmethod
    def from_value(cls, value: object, default: JitScalarType | None = None) -> JitScalarType:
        """The member for the dtype of a value or tensor.

        Raises:
            ValueError: it has none, and there is no ``default``.
        """
        found = _dtype_of(value)
        if found is not None:
            return cls.from_dtype(found)
        if default is None:
            raise ValueError(f"the dtype of {value!r} is not known")
        return default

    def dtype(self) -> torch.dtype:
        """Torch's dtype.

        Raises:
            ValueError: it is undefined.
        """
        if self not in _ROWS:
            raise ValueError("an undefined dtype is none of torch")
        return _ROWS[self][0]

    def onnx_type(self) -> ir.DataType:
        """ONNX's element type, a number as attributes take it."""
        return _onnx(_ROWS[self][0]) if self in _ROWS else ir.DataType.UNDEFINED

    def scalar_name(self) -> str:
        """TorchScript's name, as in ``Float`` or ``Long``."""
        return _ROWS[self][1] if self in _ROWS else "Undefined"

    def torch_name(self) -> str:
        """The name in C++, as in ``float`` or ``int64_t``."""
        return _ROWS[self][2] if self in _ROWS else "undefined"


_ROWS: dict[JitScalarType, tuple[torch.dtype, str, str]] = {
    JitScalarType.UINT8: (torch.uint8, "Byte", "uint8_t"),
    JitScalarType.INT8: (torch.int8, "Char", "int8_t"),
    JitScalarType.INT16: (torch.int16, "Short", "int16_t"),
    JitScalarType.INT: (torch.int32, "Int", "int"),
    JitScalarType.INT64: (torch.int64, "Long", "int64_t"),
    JitScalarType.HALF: (torch.float16, "Half", "half"),
    JitScalarType.FLOAT: (torch.float32, "Float", "float"),
    JitScalarType.DOUBLE: (torch.float64, "Double", "double"),
    JitScalarType.COMPLEX32: (torch.complex32, "ComplexHalf", "complex32"),
    JitScalarType.COMPLEX64: (torch.complex64, "ComplexFloat", "complex64"),
    JitScalarType.COMPLEX128: (torch.complex128, "ComplexDouble", "complex128"),
    JitScalarType.BOOL: (torch.bool, "Bool", "bool"),
    JitScalarType.QINT8: (torch.qint8, "QInt8", "qint8"),
    JitScalarType.QUINT8: (torch.quint8, "QUInt8", "quint8"),
    JitScalarType.QINT32: (torch.qint32, "QInt32", "qint32"),
    JitScalarType.BFLOAT16: (torch.bfloat16, "BFloat16", "bfloat16"),
}


def _onnx(dtype: torch.dtype) -> ir.DataType:
    if dtype == torch.complex32:
        return ir.DataType.UNDEFINED  # ONNX has no such type
    return TorchDType(str(dtype).removeprefix("torch.")).onnx


def _dtype_of(value: object) -> torch.dtype | None:
    if isinstance(value, torch.Tensor):
        return value.dtype
    if not isinstance(value, torch._C.Value):
        return None
    kind = value.type()
    while isinstance(kind, torch._C.ListType | torch._C.OptionalType):
        kind = kind.getElementType()
    return kind.dtype() if isinstance(kind, torch._C.TensorType) else _NUMBERS.get(kind.kind())


_NUMBERS = {"IntType": torch.int64, "FloatType": torch.float64, "BoolType": torch.bool}


def _try_get_scalar_type(*args: object) -> JitScalarType | None:
    """The dtype of the first of the values whose dtype is known."""
    dtypes = (_dtype_of(value) for value in args)
    return next((JitScalarType.from_dtype(dtype) for dtype in dtypes if dtype is not None), None)


def _type_promote_from_values(*args: object) -> JitScalarType:
    """The dtype that torch promotes all those of the values to."""
    common = promoted(dtype for dtype in map(_dtype_of, args) if dtype is not None)
    return JitScalarType.UNDEFINED if common is None else JitScalarType.from_dtype(common)


def _is_fp(value: object) -> bool:
    """Whether the value holds floats."""
    dtype = _dtype_of(value)
    return dtype is not None and dtype.is_floating_point


def _is_bool(value: object) -> bool:
    """Whether the value holds truth values."""
    return _dtype_of(value) == torch.bool


def is_complex_value(x: torch._C.Value) -> bool:
    """Whether the value holds complex numbers."""
    dtype = _dtype_of(x)
    return dtype is not None and dtype.is_complex


def args_have_same_dtype(args: Iterable[object]) -> bool:
    """Whether the values have one dtype."""
    return len({JitScalarType.from_value(value) for value in args}) == 1


cast_pytorch_to_onnx: dict[str, ir.DataType] = {
    member.scalar_name(): member.onnx_type()
    for member in JitScalarType
    if member.name not in ("COMPLEX32", "QINT8", "QUINT8", "QINT32")
}
"""TorchScript's name of a dtype to ONNX's number of it: what ``to_i`` of a Cast takes."""

scalar_name_to_pytorch: dict[str, str] = {row[2]: row[1] for row in _ROWS.values()}
"""The name of a dtype in C++ to TorchScript's."""

pytorch_name_to_type: dict[str, torch.dtype] = {row[1]: row[0] for row in _ROWS.values()}
"""TorchScript's name of a dtype to the dtype."""

scalar_type_to_pytorch_type: list[torch.dtype] = [row[0] for row in _ROWS.values()]
"""The dtypes in the order of their numbers."""

scalar_type_to_onnx: list[ir.DataType] = [_onnx(row[0]) for row in _ROWS.values()]
"""ONNX's element types in the order of TorchScript's numbers."""
