"""Operands of one dtype: torch.onnx casts those of arithmetic, and functions written for it rely on that."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import torch

__all__ = ["Operand", "common_dtype", "promoted"]

_FIRST = {
    "Add": 0, "And": 0, "Concat": 0, "Div": 0, "Equal": 0, "Gemm": 0, "Greater": 0, "GreaterOrEqual": 0,
    "Less": 0, "LessOrEqual": 0, "MatMul": 0, "Max": 0, "Mean": 0, "Min": 0, "Mod": 0, "Mul": 0, "PRelu": 0,
    "Pow": 0, "Sub": 0, "Sum": 0, "Where": 1,
}  # fmt: skip
"""Operators whose operands have one dtype, and the first of these operands."""


class Operand(NamedTuple):
    """What the common dtype depends on."""

    dtype: torch.dtype | None
    is_number: bool
    """Without dimensions: it widens what it meets only if it is of a higher kind, as a number does."""


def common_dtype(op_type: str, operands: Sequence[Operand]) -> tuple[int, torch.dtype] | None:
    """The first operand that counts, and the dtype that it and all later ones are to have.

    None where they may stay as they are: the operator does not care, or they agree, or one is not known.
    """
    first = _FIRST.get(op_type)
    if first is None:
        return None
    relevant = operands[first:]
    dtypes = [operand.dtype for operand in relevant if operand.dtype is not None]
    if len(dtypes) < len(relevant) or len(set(dtypes)) < 2:
        return None
    tensors = promoted([o.dtype for o in relevant if not o.is_number and o.dtype is not None])
    numbers = promoted([o.dtype for o in relevant if o.is_number and o.dtype is not None])
    if tensors is None or numbers is None:
        whole = tensors or numbers
        return None if whole is None else (first, whole)
    if _category(numbers) <= _category(tensors):
        return first, tensors
    return first, torch.get_default_dtype() if numbers.is_floating_point else numbers


def promoted(dtypes: Iterable[torch.dtype]) -> torch.dtype | None:
    """The dtype that torch promotes all of them to; None for none."""
    found: torch.dtype | None = None
    for dtype in dtypes:
        found = dtype if found is None else torch.promote_types(found, dtype)
    return found


def _category(dtype: torch.dtype) -> int:
    if dtype.is_complex:
        return 3
    if dtype.is_floating_point:
        return 2
    return 0 if dtype == torch.bool else 1
