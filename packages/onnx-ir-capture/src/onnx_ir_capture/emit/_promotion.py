"""Type promotion of torch, for lowerings whose operand types are known.

Source: c10/core/ScalarType.h (promoteTypes) and ATen/native/TypeProperties.cpp (update_result_type_state,
combine_categories): tensors with dimensions go before 0-d tensors, and those before Python numbers; a lower
group changes the result only by a higher kind (bool < integer < float < complex).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Number, Operand, Unsupported, Value
from onnx_ir_capture.emit._emitter import Emitter

__all__ = ["is_number", "promote", "promote_dtypes", "promoted_dtype", "to_float_dtype"]

_FLOAT = ir.DataType.FLOAT
_BITS = {
    ir.DataType.INT8: 8,
    ir.DataType.INT16: 16,
    ir.DataType.INT32: 32,
    ir.DataType.INT64: 64,
    ir.DataType.FLOAT16: 16,
    ir.DataType.BFLOAT16: 16,
    ir.DataType.FLOAT: 32,
    ir.DataType.DOUBLE: 64,
    ir.DataType.COMPLEX64: 64,
    ir.DataType.COMPLEX128: 128,
}
_SIGNED = {8: ir.DataType.INT8, 16: ir.DataType.INT16, 32: ir.DataType.INT32, 64: ir.DataType.INT64}
_UNPROMOTED = {ir.DataType.UINT16, ir.DataType.UINT32, ir.DataType.UINT64}
"""What torch combines with floats alone."""
_COMPLEX = {ir.DataType.COMPLEX64, ir.DataType.COMPLEX128}


def is_number(operand: Operand) -> bool:
    """Whether the operand is a Python number: a constant, or a size or scalar computed at run time."""
    return not isinstance(operand, ir.Value) or "torch.scalar" in operand.meta


def promoted_dtype(operands: Iterable[Operand], default: ir.DataType = _FLOAT) -> ir.DataType:
    """The dtype to which torch promotes ``operands`` of an elementwise operation.

    Args:
        operands: tensors and Python numbers.
        default: what torch.get_default_dtype() was, see :attr:`Emitter.default_float`.

    Raises:
        Unsupported: torch has no promotion for the pair of dtypes either, or a dtype is unknown.
    """
    groups: tuple[list[ir.DataType], list[ir.DataType], list[ir.DataType]] = ([], [], [])
    for operand in operands:
        if is_number(operand):
            groups[2].append(_number_dtype(operand, default))
        elif isinstance(operand, ir.Value):
            groups[1 if operand.shape is not None and len(operand.shape) == 0 else 0].append(_dtype(operand))
    result: ir.DataType | None = None
    for group in groups:
        if group:
            result = _combine(result, promote_dtypes(group))
    if result is None:
        raise ValueError("type promotion needs an operand")
    return result


def promote(emitter: Emitter, *operands: Operand, dtype: ir.DataType | None = None) -> tuple[Value, ...]:
    """The operands as values of one dtype: ``dtype``, or the one that torch promotes them to."""
    target = promoted_dtype(operands, emitter.default_float) if dtype is None else dtype
    return tuple(
        emitter.cast(operand, target)
        if isinstance(operand, ir.Value)
        else emitter.constant(_wrapped(operand, target), target)
        for operand in operands
    )


def _wrapped(number: Number, dtype: ir.DataType) -> Number:
    """A Python int by its lowest bits, as torch's operators take it: 300 is 44 to an int8 tensor."""
    if not isinstance(number, int) or not dtype.is_integer():
        return number
    low = int(dtype.min)
    return (int(number) - low) % (int(dtype.max) - low + 1) + low


def to_float_dtype(dtype: ir.DataType, default: ir.DataType = _FLOAT) -> ir.DataType:
    """The dtype of a function that gives floats for integers, such as ``sqrt``: torch's default float."""
    return default if _kind(dtype) < 2 else dtype


def promote_dtypes(dtypes: Sequence[ir.DataType]) -> ir.DataType:
    """The smallest dtype that torch promotes all of ``dtypes`` to."""
    result = dtypes[0]
    for dtype in dtypes[1:]:
        result = _pair(result, dtype)
    return result


def _dtype(value: ir.Value) -> ir.DataType:
    if value.dtype is None:
        raise Unsupported(f"the dtype of its argument %{value.name} is unknown")
    return value.dtype


def _number_dtype(number: Operand, default: ir.DataType) -> ir.DataType:
    if isinstance(number, ir.Value):
        # A run-time Python float is a DOUBLE in the graph, but promotes as a Python float does.
        return default if number.dtype == ir.DataType.DOUBLE else _dtype(number)
    if isinstance(number, bool):
        return ir.DataType.BOOL
    if isinstance(number, int):
        return ir.DataType.INT64
    if not isinstance(number, complex):
        return default
    return ir.DataType.COMPLEX128 if default == ir.DataType.DOUBLE else ir.DataType.COMPLEX64


def _kind(dtype: ir.DataType) -> int:
    """0 bool, 1 integer, 2 float, 3 complex."""
    if dtype == ir.DataType.BOOL:
        return 0
    if dtype in _COMPLEX:
        return 3
    return 2 if dtype.is_floating_point() else 1


def _combine(higher: ir.DataType | None, lower: ir.DataType) -> ir.DataType:
    if higher is None:
        return lower
    if _kind(higher) >= _kind(lower) and higher != ir.DataType.BOOL:
        return higher
    if higher == ir.DataType.BOOL:
        return _pair(higher, lower)
    if higher == ir.DataType.FLOAT16:
        raise Unsupported("torch computes it in complex numbers of half precision, which ONNX does not have")
    if _kind(higher) == 2:
        return ir.DataType.COMPLEX128 if higher == ir.DataType.DOUBLE else ir.DataType.COMPLEX64
    return lower


def _pair(a: ir.DataType, b: ir.DataType) -> ir.DataType:
    if a == b:
        return a
    low, high = sorted((a, b), key=_kind)
    if (low in _UNPROMOTED or high in _UNPROMOTED) and _kind(high) != 2:
        raise Unsupported(f"torch does not promote {a.name} with {b.name}")
    if low == ir.DataType.BOOL:
        return high
    if _kind(high) == 3:
        double = ir.DataType.COMPLEX128 in (a, b) or ir.DataType.DOUBLE in (a, b)
        return ir.DataType.COMPLEX128 if double else ir.DataType.COMPLEX64
    if _kind(low) != _kind(high):
        return high
    return _floats(a, b) if _kind(high) == 2 else _integers(a, b)


def _floats(a: ir.DataType, b: ir.DataType) -> ir.DataType:
    if a not in _BITS or b not in _BITS:
        raise Unsupported(f"torch does not promote {a.name} with {b.name}")
    if _BITS[a] == _BITS[b]:
        return ir.DataType.FLOAT
    return a if _BITS[a] > _BITS[b] else b


def _integers(a: ir.DataType, b: ir.DataType) -> ir.DataType:
    bits = max(_BITS.get(a, 0), _BITS.get(b, 0))
    # int8 does not hold what uint8 does; every wider signed integer does.
    return _SIGNED[max(bits, 16)] if ir.DataType.UINT8 in (a, b) else _SIGNED[bits]
