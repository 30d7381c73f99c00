"""Shapes that several tensors, or a rank, ask for, and bits in another dtype."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit._dtypes import dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._shapes import rank_of

__all__ = ["bits_as", "broadcast_together", "with_added_axes"]


def bits_as(emitter: Emitter, value: Value, dtype: ir.DataType) -> Value:
    """The bits of ``value`` read as another dtype of the same width."""
    given = dtype_of(emitter, value)
    if given == dtype:
        return value
    if given.bitwidth != dtype.bitwidth:
        emitter.refuse(
            f"ONNX reads the bits of {given.name} as a dtype of the same width only, not {dtype.name}"
        )
    if given == ir.DataType.BOOL:
        return emitter.cast(value, dtype)
    if dtype == ir.DataType.BOOL:
        emitter.refuse("a bool made of other bits than 0 and 1 is none in ONNX")
    return emitter.BitCast(value, to=dtype)


def with_added_axes(emitter: Emitter, value: Value, added: Sequence[Sequence[int]]) -> Value:
    """``value`` with the new axes that ``added`` has for its rank."""
    rank = rank_of(emitter, value)
    return emitter.Unsqueeze(value, added[rank]) if rank < len(added) else value


def broadcast_together(emitter: Emitter, tensors: Sequence[Value]) -> Sequence[Value]:
    """Each of ``tensors`` in the shape of all of them together."""
    return [_spread(emitter, tensors, index) for index in range(len(tensors))]


def _spread(emitter: Emitter, values: Sequence[Value], index: int) -> Value:
    """The value at ``index`` in the shape of all of them together."""
    value = values[index]
    wanted = emitter.expected_shape(index)
    if wanted is not None and value.shape == wanted and None not in [_known(size) for size in wanted]:
        return value
    for other in [*values[:index], *values[index + 1 :]]:
        # Expand broadcasts both ways, so each step adds what the shape of another asks for.
        value = emitter.Expand(value, emitter.Shape(other))
    return value


def _known(size: int | ir.SymbolicDim) -> int | str | None:
    return size if isinstance(size, int) else size.value
