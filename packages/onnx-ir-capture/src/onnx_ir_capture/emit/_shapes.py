"""Shapes as tensors: what reshape, expand and their like need at run time, kept as constant as it can be."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np
import onnx_ir as ir

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit._emitter import Emitter

__all__ = ["counted_size", "dimension", "least_size", "normalize_axis", "rank_of", "reshape", "size_vector"]

_ALLOWZERO = 14
"""The opset from which Reshape can be told that a size of 0 is one."""


def rank_of(emitter: Emitter, value: Value) -> int:
    """Number of dimensions of ``value``.

    Raises:
        Unsupported: the program does not say.
    """
    if value.shape is None:
        emitter.refuse(f"the rank of %{value.name} is unknown")
    return len(value.shape)


def normalize_axis(axis: int, rank: int) -> int:
    """``axis`` counted from the front. A 0-d tensor has one axis for torch, 0 or -1."""
    return axis + max(rank, 1) if axis < 0 else axis


def dimension(emitter: Emitter, value: Value, axis: int) -> SymInt:
    """Size of ``value`` along ``axis``: a constant where it is known, else a 0-d INT64 value."""
    shape = value.shape
    size = None if shape is None else shape[axis]
    if isinstance(size, int):
        return size
    start = normalize_axis(axis, rank_of(emitter, value))
    return emitter.Squeeze(emitter.Shape(value, start=start, end=start + 1), [0])


def least_size(emitter: Emitter, value: Value, axis: int) -> int:
    """The smallest size that ``value`` may have along ``axis``, as far as the captured program tells."""
    dim = None if value.shape is None else value.shape[axis]
    if isinstance(dim, int):
        return dim
    expression = None if dim is None else dim.value
    # Sums and products of dimensions only grow with them.
    if expression is None or re.fullmatch(r"[\w\s+*]+", expression) is None or "**" in expression:
        return 0
    terms = (term.split("*") for term in expression.split("+"))
    return sum(math.prod(_least(emitter, factor.strip()) for factor in term) for term in terms)


def counted_size(emitter: Emitter, total: SymInt, sizes: Sequence[SymInt]) -> list[SymInt]:
    """``sizes`` with the one of them that is -1, if any, as what the others leave of ``total`` elements."""
    if -1 not in sizes:
        return list(sizes)
    rest = total
    for size in sizes:
        if isinstance(size, ir.Value) or isinstance(rest, ir.Value):
            rest = rest if isinstance(size, int) and size in (1, -1) else emitter.Div(rest, size)
        elif size not in (0, -1):
            rest //= size
    return [rest if isinstance(size, int) and size == -1 else size for size in sizes]


def _least(emitter: Emitter, factor: str) -> int:
    return int(factor) if factor.isdigit() else max(emitter.frame.least_sizes.get(factor, 0), 0)


def size_vector(emitter: Emitter, sizes: Sequence[SymInt]) -> Value:
    """A 1-D INT64 tensor of ``sizes``; one constant where all are known."""
    constants = [size for size in sizes if isinstance(size, int)]
    if len(constants) == len(sizes):
        return emitter.constant(constants, ir.DataType.INT64)
    parts = [
        emitter.constant([size]) if isinstance(size, int) else emitter.Reshape(size, [1]) for size in sizes
    ]
    return parts[0] if len(parts) == 1 else emitter.Concat(*parts, axis=0)


def reshape(emitter: Emitter, value: Value, sizes: Sequence[SymInt]) -> Value:
    """``value`` in the shape ``sizes``, of which one may be -1.

    Sizes that are an input dimension at the same place, by the captured shapes, are written as 0, which
    Reshape copies, and one more unknown as -1: most reshapes of attention then need no arithmetic at all.
    """
    wanted = emitter.expected_shape()
    if wanted is None or len(wanted) != len(sizes) or 0 in wanted:
        return _reshape_as_told(emitter, value, sizes)
    plan = [_planned(size, wanted[index], value.shape, index) for index, size in enumerate(sizes)]
    if plan.count(None) > 1:
        return _reshape_as_told(emitter, value, sizes)
    if None in plan and -1 not in sizes and emitter.opset >= _ALLOWZERO and _may_copy_0(emitter, value, plan):
        return _reshape_as_told(emitter, value, sizes)
    return emitter.Reshape(value, [-1 if size is None else size for size in plan])


def _may_copy_0(emitter: Emitter, value: Value, plan: Sequence[int | None]) -> bool:
    """Whether a copied size may be 0, next to which -1 could be any."""
    return any(size == 0 and least_size(emitter, value, axis) < 1 for axis, size in enumerate(plan))


def _reshape_as_told(emitter: Emitter, value: Value, sizes: Sequence[SymInt]) -> Value:
    """Reshape to ``sizes``, in which 0 is a size, not a copied dimension.

    Before opset 14 a size computed at run time must not be 0 where the result has another size of 0.
    """
    constants = [size for size in sizes if isinstance(size, int)]
    shape = size_vector(emitter, sizes)
    if 0 in constants and len(constants) < len(sizes) and emitter.opset < _ALLOWZERO:
        # Nothing but the shape is left of a tensor without elements.
        empty = np.empty([0 if isinstance(size, int) and size == 0 else 1 for size in sizes])
        return emitter.Expand(emitter.constant(empty, value.dtype or ir.DataType.FLOAT), shape)
    computed = len(constants) < len(sizes) and -1 not in constants and emitter.opset >= _ALLOWZERO
    if 0 in constants or computed:
        return emitter.Reshape(value, shape, allowzero=1)
    return emitter.Reshape(value, shape)


def _planned(size: SymInt, wanted: int | ir.SymbolicDim, shape: ir.Shape | None, index: int) -> int | None:
    """A size as Reshape's constant: itself, 0 for "as the input has it", None if only run time knows."""
    if isinstance(wanted, int):
        return wanted
    if shape is not None and index < len(shape) and wanted.value is not None and shape[index] == wanted:
        return 0
    return size if isinstance(size, int) and size != -1 else None
