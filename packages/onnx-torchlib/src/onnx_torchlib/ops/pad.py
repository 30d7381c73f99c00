"""Padding."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import Scalar, SymInt, Value
from onnx_ir_capture.emit import padded, padded_around, padded_from_inside
from onnx_torchlib import Op, translator

__all__ = ["constant_pad_nd", "pad_", "reflection_pad", "replication_pad"]


@translator("aten::constant_pad_nd")
def constant_pad_nd(op: Op, self: Value, pad: Sequence[SymInt], value: Scalar = 0) -> Value:
    """constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor"""
    return padded(op, self, pad, value)


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
    return padded_around(op, self, pad)


@translator("aten::reflection_pad1d", "aten::reflection_pad2d", "aten::reflection_pad3d")
def reflection_pad(op: Op, self: Value, padding: Sequence[SymInt]) -> Value:
    """reflection_pad1d(Tensor self, SymInt[2] padding) -> Tensor"""
    return padded_from_inside(op, self, padding, "reflect")


@translator("aten::replication_pad1d", "aten::replication_pad2d", "aten::replication_pad3d")
def replication_pad(op: Op, self: Value, padding: Sequence[SymInt]) -> Value:
    """replication_pad1d(Tensor self, SymInt[2] padding) -> Tensor"""
    return padded_from_inside(op, self, padding, "edge")
