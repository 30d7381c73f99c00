"""Padding."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import Scalar, SymInt, Value
from onnx_ir_capture.emit import as_tensor, dtype_of, per_axis, rank_of, size_vector
from onnx_torchlib import Op, translator

__all__ = ["constant_pad_nd", "pad_", "reflection_pad", "replication_pad"]


@translator("aten::constant_pad_nd")
def constant_pad_nd(op: Op, self: Value, pad: Sequence[SymInt], value: Scalar = 0) -> Value:
    """constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor"""
    if all(isinstance(size, int) and size == 0 for size in pad):
        return self
    rank, axes = rank_of(op, self), len(pad) // 2
    front, back = _sides(pad)
    untouched: list[SymInt] = [0] * (rank - axes)
    pads = size_vector(op, [*untouched, *front, *untouched, *back])
    return op.Pad(self, pads, as_tensor(op, value, dtype_of(op, self)))


def _sides(pad: Sequence[SymInt]) -> tuple[list[SymInt], list[SymInt]]:
    """What is added before and after each padded axis; torch counts the axes from the last."""
    return list(pad[0::2])[::-1], list(pad[1::2])[::-1]


@translator("aten::pad")
def pad_(
    op: Op, self: Value, pad: Sequence[SymInt], mode: str = "constant", value: float | None = None
) -> Value:
    """pad(Tensor self, SymInt[] pad, str mode="constant", float? value=None) -> Tensor"""
    if mode == "constant":
        return constant_pad_nd(op, self, pad, 0 if value is None else value)
    if mode == "reflect":
        return reflection_pad(op, self, pad)
    if mode == "replicate":
        return replication_pad(op, self, pad)
    return _circular(op, self, pad)


@translator("aten::reflection_pad1d", "aten::reflection_pad2d", "aten::reflection_pad3d")
def reflection_pad(op: Op, self: Value, padding: Sequence[SymInt]) -> Value:
    """reflection_pad1d(Tensor self, SymInt[2] padding) -> Tensor"""
    return _from_inside(op, self, padding, "reflect")


@translator("aten::replication_pad1d", "aten::replication_pad2d", "aten::replication_pad3d")
def replication_pad(op: Op, self: Value, padding: Sequence[SymInt]) -> Value:
    """replication_pad1d(Tensor self, SymInt[2] padding) -> Tensor"""
    return _from_inside(op, self, padding, "edge")


def _from_inside(op: Op, value: Value, padding: Sequence[SymInt], mode: str) -> Value:
    """Padded with elements of ``value``, then cut off where the padding is negative."""
    sizes = per_axis(op, padding, 1, "padding")
    rank, axes = rank_of(op, value), len(sizes) // 2
    untouched = [0] * (rank - axes)
    front, back = sizes[0::2][::-1], sizes[1::2][::-1]
    grown = [*untouched, *(max(size, 0) for size in front), *untouched, *(max(size, 0) for size in back)]
    padded = op.Pad(value, grown, mode=mode) if any(grown) else value
    if min(sizes) >= 0:
        return padded
    starts = [max(-size, 0) for size in front]
    ends = [size if size < 0 else 2**63 - 1 for size in back]
    return op.Slice(padded, starts, ends, list(range(rank - axes, rank)))


def _circular(op: Op, value: Value, padding: Sequence[SymInt]) -> Value:
    """Padded with what stands at the other end: ONNX has a mode for it from opset 19, no faster than this."""
    sizes = per_axis(op, padding, 1, "padding")
    if min(sizes) < 0:
        op.refuse("circular padding with a negative size is not translated")
    rank = rank_of(op, value)
    for place, (front, back) in enumerate(zip(sizes[0::2], sizes[1::2], strict=True), start=1):
        axis = rank - place
        parts = [value]
        if front:
            parts.insert(0, op.Slice(value, [-front], [2**63 - 1], [axis]))
        if back:
            parts.append(op.Slice(value, [0], [back], [axis]))
        value = op.Concat(*parts, axis=axis) if len(parts) > 1 else value
    return value
