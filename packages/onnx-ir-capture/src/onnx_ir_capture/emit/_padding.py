"""Padding by torch's list of sizes, a pair for each axis from the last on."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import Scalar, SymInt, Value
from onnx_ir_capture.emit._dtypes import dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._filled import as_tensor
from onnx_ir_capture.emit._shapes import rank_of, size_vector
from onnx_ir_capture.emit._windows import per_axis

__all__ = ["padded", "padded_around", "padded_from_inside"]


def padded(emitter: Emitter, value: Value, padding: Sequence[SymInt], number: Scalar) -> Value:
    """``value`` with ``number`` around it, by torch's pairs of sizes; negative ones cut off."""
    if all(isinstance(size, int) and size == 0 for size in padding):
        return value
    rank, axes = rank_of(emitter, value), len(padding) // 2
    front, back = _sides(padding)
    untouched: list[SymInt] = [0] * (rank - axes)
    pads = size_vector(emitter, [*untouched, *front, *untouched, *back])
    return emitter.Pad(value, pads, as_tensor(emitter, number, dtype_of(emitter, value)))


def _sides(pad: Sequence[SymInt]) -> tuple[list[SymInt], list[SymInt]]:
    """What is added before and after each padded axis; torch counts the axes from the last."""
    return list(pad[0::2])[::-1], list(pad[1::2])[::-1]


def padded_from_inside(emitter: Emitter, value: Value, padding: Sequence[SymInt], mode: str) -> Value:
    """Padded with elements of ``value``, then cut off where the padding is negative."""
    sizes = per_axis(emitter, padding, 1, "padding")
    rank, axes = rank_of(emitter, value), len(sizes) // 2
    untouched = [0] * (rank - axes)
    front, back = sizes[0::2][::-1], sizes[1::2][::-1]
    grown = [*untouched, *(max(size, 0) for size in front), *untouched, *(max(size, 0) for size in back)]
    padded = emitter.Pad(value, grown, mode=mode) if any(grown) else value
    if min(sizes) >= 0:
        return padded
    starts = [max(-size, 0) for size in front]
    ends = [size if size < 0 else 2**63 - 1 for size in back]
    return emitter.Slice(padded, starts, ends, list(range(rank - axes, rank)))


def padded_around(emitter: Emitter, value: Value, padding: Sequence[SymInt]) -> Value:
    """Padded with what stands at the other end: ONNX has a mode for it from opset 19, no faster than this."""
    sizes = per_axis(emitter, padding, 1, "padding")
    if min(sizes) < 0:
        emitter.refuse("circular padding with a negative size is not translated")
    rank = rank_of(emitter, value)
    for place, (front, back) in enumerate(zip(sizes[0::2], sizes[1::2], strict=True), start=1):
        axis = rank - place
        parts = [value]
        if front:
            parts.insert(0, emitter.Slice(value, [-front], [2**63 - 1], [axis]))
        if back:
            parts.append(emitter.Slice(value, [0], [back], [axis]))
        value = emitter.Concat(*parts, axis=axis) if len(parts) > 1 else value
    return value
