"""Padding."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import Scalar, SymInt, Value
from onnx_ir_capture.emit import padded, padded_around, padded_from_inside
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["constant_pad_nd", "pad_", "reflection_pad", "replication_pad"]


@symbolic("aten::constant_pad_nd")
def constant_pad_nd(g: SymbolicContext, self: Value, pad: Sequence[SymInt], value: Scalar = 0) -> Value:
    """constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor"""
    return padded(g, self, pad, value)


@symbolic("aten::pad")
def pad_(
    g: SymbolicContext, self: Value, pad: Sequence[SymInt], mode: str = "constant", value: float | None = None
) -> Value:
    """pad(Tensor self, SymInt[] pad, str mode="constant", float? value=None) -> Tensor"""
    if mode == "constant":
        return constant_pad_nd(g, self, pad, 0 if value is None else value)
    if mode == "reflect":
        return reflection_pad(g, self, pad)
    if mode == "replicate":
        return replication_pad(g, self, pad)
    return padded_around(g, self, pad)


@symbolic("aten::reflection_pad1d", "aten::reflection_pad2d", "aten::reflection_pad3d")
def reflection_pad(g: SymbolicContext, self: Value, padding: Sequence[SymInt]) -> Value:
    """reflection_pad1d(Tensor self, SymInt[2] padding) -> Tensor"""
    return padded_from_inside(g, self, padding, "reflect")


@symbolic("aten::replication_pad1d", "aten::replication_pad2d", "aten::replication_pad3d")
def replication_pad(g: SymbolicContext, self: Value, padding: Sequence[SymInt]) -> Value:
    """replication_pad1d(Tensor self, SymInt[2] padding) -> Tensor"""
    return padded_from_inside(g, self, padding, "edge")
