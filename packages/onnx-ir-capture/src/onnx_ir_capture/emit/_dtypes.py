"""Questions about the dtypes of values that many lowerings ask."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._promotion import to_float_dtype

__all__ = ["HALVES", "accumulated", "as_floating", "dtype_of", "is_floating", "is_unsigned"]

_UNSIGNED = frozenset({ir.DataType.UINT8, ir.DataType.UINT16, ir.DataType.UINT32, ir.DataType.UINT64})

HALVES = frozenset({ir.DataType.FLOAT16, ir.DataType.BFLOAT16})
"""What ONNX Runtime has few kernels for, and torch often computes in float32."""


def dtype_of(emitter: Emitter, value: Value) -> ir.DataType:
    """The dtype of ``value``.

    Raises:
        Unsupported: the program does not say.
    """
    if value.dtype is None:
        emitter.refuse(f"the dtype of %{value.name} is unknown")
    return value.dtype


def is_floating(value: Value) -> bool:
    """Whether ``value`` has a floating-point dtype."""
    return value.dtype is not None and value.dtype.is_floating_point()


def is_unsigned(dtype: ir.DataType) -> bool:
    """Whether ``dtype`` is an unsigned integer."""
    return dtype in _UNSIGNED


def as_floating(emitter: Emitter, value: Value) -> Value:
    """``value`` in the dtype of torch's float functions: its own, or the default for integers and bools."""
    return emitter.cast(value, to_float_dtype(dtype_of(emitter, value), emitter.default_float))


def accumulated(emitter: Emitter, value: Value, dtype: ir.DataType | None = None) -> ir.DataType:
    """The dtype in which torch sums: INT64 for integers and bools, unless one is asked for."""
    if dtype is not None:
        return dtype
    return dtype_of(emitter, value) if is_floating(value) else ir.DataType.INT64
