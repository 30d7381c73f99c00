"""Sequences of several lengths made one tensor."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit._dtypes import dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._filled import as_tensor
from onnx_ir_capture.emit._shapes import dimension, size_vector
from onnx_ir_capture.emit._slicing import stacked

__all__ = ["padded_to_longest"]


def padded_to_longest(
    emitter: Emitter, sequences: Sequence[Value], batch_first: bool, padding_value: float, padding_side: str
) -> Value:
    """``sequences`` of several lengths, filled up to the longest and stacked."""
    lengths = [dimension(emitter, value, 0) for value in sequences]
    constants = [length for length in lengths if isinstance(length, int)]
    if len(constants) == len(lengths):
        longest: SymInt = max(constants)
    else:
        longest = emitter.ReduceMax(size_vector(emitter, lengths), keepdims=0)
    padded = [_padded(emitter, value, longest, padding_value, padding_side == "left") for value in sequences]
    return stacked(emitter, padded, 0 if batch_first else 1)


def _padded(emitter: Emitter, value: Value, length: SymInt, number: float, in_front: bool) -> Value:
    """``value`` with as many members more along its first axis as ``length`` asks for."""
    present = dimension(emitter, value, 0)
    if isinstance(length, int) and isinstance(present, int):
        missing: SymInt = length - present
    else:
        missing = emitter.Sub(length, present)
    pads: list[SymInt] = [missing, 0] if in_front else [0, missing]
    return emitter.Pad(
        value, size_vector(emitter, pads), as_tensor(emitter, number, dtype_of(emitter, value)), [0]
    )
