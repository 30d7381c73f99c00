"""Whether types and shapes of two values can belong to one: what the verifier compares across blocks."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.dialect._text import typed_text
from onnx_ir_capture.dialect._types import ListType, ScalarType, TupleType, is_plain_tensor

__all__ = ["agree", "disagreement", "is_bool", "is_scalar"]


def is_scalar(value: ir.Value, *kinds: str) -> bool:
    """Whether the value is a Python scalar of one of ``kinds``."""
    return isinstance(value.type, ScalarType) and value.type.kind in kinds


def is_bool(value: ir.Value) -> bool:
    """Whether the value is a bool or a tensor that may hold one bool."""
    if is_scalar(value, "bool"):
        return True
    known = (ir.DataType.BOOL, ir.DataType.UNDEFINED)
    no_size = value.shape is None or len(value.shape) == 0
    return value.type is None or (is_plain_tensor(value.type) and value.type.dtype in known and no_size)


def agree(one: ir.TypeProtocol | None, other: ir.TypeProtocol | None) -> bool:
    """Whether two types are equal where both are known."""
    if one is None or other is None or one is other:
        return True
    if isinstance(one, ListType) and isinstance(other, ListType):
        return agree(one.elem_type, other.elem_type)
    if isinstance(one, TupleType) and isinstance(other, TupleType):
        pairs = zip(one.elements, other.elements, strict=False)
        return len(one.elements) == len(other.elements) and all(agree(*pair) for pair in pairs)
    if is_plain_tensor(one) and is_plain_tensor(other):
        return one.dtype == other.dtype or ir.DataType.UNDEFINED in (one.dtype, other.dtype)
    return one == other


def disagreement(one: ir.Value, other: ir.Value) -> str | None:
    """How two values that should be one differ, as ``f32[2] and f32[3]``; None if they do not.

    A block may give None in place of anything: TorchScript's optional values have no type of their own.
    """
    if is_scalar(one, "None") or is_scalar(other, "None"):
        return None
    if agree(one.type, other.type) and not _contradict(one.shape, other.shape):
        return None
    return f"{typed_text(one)} and {typed_text(other)}"


def _contradict(one: ir.Shape | None, other: ir.Shape | None) -> bool:
    """Whether no tensor has both shapes. Two names may stand for one size, so only numbers tell."""
    if one is None or other is None or one is other:
        return False
    if len(one) != len(other):
        return True
    return any(isinstance(a, int) and isinstance(b, int) and a != b for a, b in zip(one, other, strict=True))
