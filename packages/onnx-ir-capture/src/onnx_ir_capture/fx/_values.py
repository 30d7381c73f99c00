"""Fake values of FX nodes as dialect types and shapes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import onnx_ir as ir
import sympy
import torch
from torch.utils import _pytree as pytree

from onnx_ir_capture.dialect import (
    ConstantValue,
    Device,
    Layout,
    ListType,
    MemoryFormat,
    TorchDType,
    constant_kind,
    scalar_type,
)

__all__ = [
    "EXPRESSION",
    "Rename",
    "UntypedError",
    "constant_of",
    "dialect_shape",
    "dialect_type",
    "element_type",
    "is_symbolic",
    "is_untyped",
    "typed_stand_in",
    "typed_value",
]


class UntypedError(LookupError):
    """A tensor has a dtype for which ONNX has no element type; the text is half a sentence for the user."""

    def __init__(self, dtype: torch.dtype) -> None:
        instead = "; compute in complex64" if dtype == torch.complex32 else ""
        super().__init__(f"ONNX has no element type for {str(dtype).removeprefix('torch.')}{instead}")


EXPRESSION = "torch.expression"
"""The key in ``metadata_props`` of the expression of an integer known only at run time."""

Rename: TypeAlias = Callable[[sympy.Expr], sympy.Expr]
"""From torch's symbols in an expression to the names of the program's dimensions."""


def _unchanged(expression: sympy.Expr) -> sympy.Expr:
    return expression


def is_symbolic(value: object) -> bool:
    """Whether ``value`` is a size, float or truth value that is known only at run time."""
    return isinstance(value, torch.SymInt | torch.SymFloat | torch.SymBool)


def dialect_type(value: object) -> ir.TypeProtocol:
    """The dialect type of what a fake run gave for a node.

    Raises:
        UntypedError: ONNX has no element type for a tensor's dtype.
        ValueError: the dialect has no type for it.
    """
    if isinstance(value, torch.Tensor):
        return ir.TensorType(element_type(value.dtype))
    for cls, kind in ((torch.SymBool, "bool"), (torch.SymInt, "int"), (torch.SymFloat, "float")):
        if isinstance(value, cls):
            return scalar_type(kind)
    if value is None or isinstance(value, bool | int | float | complex | str):
        return scalar_type(constant_kind(value))
    if isinstance(value, Sequence) and value:
        return ListType(dialect_type(value[0]))
    raise ValueError(f"a value of class {type(value).__qualname__} has no type in the torch dialect")


def element_type(dtype: torch.dtype) -> ir.DataType:
    """ONNX's element type for a dtype.

    Raises:
        UntypedError: there is none.
    """
    try:
        return TorchDType(_name(dtype)).onnx
    except ValueError:
        raise UntypedError(dtype) from None


def is_untyped(value: object) -> bool:
    """Whether ``value`` is a tensor with a dtype for which ONNX has no element type."""
    if not isinstance(value, torch.Tensor):
        return False
    try:
        element_type(value.dtype)
    except UntypedError:
        return True
    return False


def typed_stand_in(value: object) -> object:
    """What a fake run gave, each tensor whose dtype ONNX does not have as one of float32."""
    return pytree.tree_map_only(
        torch.Tensor, lambda t: t.new_empty(t.shape, dtype=torch.float32) if is_untyped(t) else t, value
    )


def dialect_shape(value: object, rename: Rename = _unchanged) -> ir.Shape | None:
    """Shape of a tensor, with symbolic sizes as expressions; ``()`` for a scalar, None for a list."""
    if isinstance(value, torch.Tensor):
        return ir.Shape([_dimension(size, rename) for size in value.shape], frozen=True)
    return None if isinstance(value, Sequence) and not isinstance(value, str) else ir.Shape(())


def _dimension(size: int | torch.SymInt, rename: Rename) -> int | str:
    if isinstance(size, int):
        return size
    expression = size.node.expr
    return int(expression) if expression.is_number else str(rename(expression))


def typed_value(value: object, name: str, rename: Rename = _unchanged) -> ir.Value:
    """A dialect value for what a fake run gave."""
    typed = ir.Value(name=name, type=dialect_type(value), shape=dialect_shape(value, rename))
    if isinstance(value, torch.SymInt):
        typed.metadata_props[EXPRESSION] = str(rename(value.node.expr))
    return typed


def constant_of(value: object) -> ConstantValue:
    """The dialect's constant for a Python or torch object.

    Raises:
        ValueError: the dialect has no constant for it.
    """
    if value is None or isinstance(value, bool | int | float | complex | str):
        return value
    if isinstance(value, torch.dtype):
        return TorchDType(_name(value))
    if isinstance(value, torch.device):
        return Device(str(value))
    if isinstance(value, torch.layout):
        return Layout(_name(value))
    if isinstance(value, torch.memory_format):
        return MemoryFormat(_name(value))
    raise ValueError(f"{value!r} of class {type(value).__qualname__} is no constant of the torch dialect")


def has_constant(value: object) -> bool:
    """Whether the dialect has a constant for a Python or torch object."""
    try:
        constant_of(value)
    except ValueError:
        return False
    return True


def _name(value: torch.dtype | torch.layout | torch.memory_format) -> str:
    return str(value).removeprefix("torch.")
