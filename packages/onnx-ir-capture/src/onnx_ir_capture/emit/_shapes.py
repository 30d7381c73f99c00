"""Shapes as tensors: what reshape, expand and their like need at run time, kept as constant as it can be."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit._emitter import Emitter

__all__ = ["dimension", "normalize_axis", "rank_of", "reshape", "size_vector"]


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
    if wanted is None or len(wanted) != len(sizes):
        return emitter.Reshape(value, size_vector(emitter, sizes))
    plan = [_planned(size, wanted[index], value.shape, index) for index, size in enumerate(sizes)]
    unknown = [index for index, size in enumerate(plan) if size is None]
    if len(unknown) > 1 or (unknown and 0 in wanted):
        return emitter.Reshape(value, size_vector(emitter, sizes))
    constants = [-1 if size is None else size for size in plan]
    if 0 in wanted:
        # A size of 0 and a copied dimension are both written 0; an empty result leaves one reading.
        return emitter.Reshape(value, size_vector(emitter, list(sizes)), allowzero=1)
    return emitter.Reshape(value, constants)


def _planned(size: SymInt, wanted: int | ir.SymbolicDim, shape: ir.Shape | None, index: int) -> int | None:
    """A size as Reshape's constant: itself, 0 for "as the input has it", None if only run time knows."""
    if isinstance(wanted, int):
        return wanted
    if shape is not None and index < len(shape) and wanted.value is not None and shape[index] == wanted:
        return 0
    return size if isinstance(size, int) and size != -1 else None
