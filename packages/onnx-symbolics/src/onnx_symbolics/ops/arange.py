"""Ranges of numbers."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, SymInt, Value
from onnx_ir_capture.emit import evenly_spaced, number_range
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["arange", "arange_start", "arange_start_step", "linspace"]


@symbolic("aten::arange.start_step")
def arange_start_step(
    g: SymbolicContext,
    start: Scalar,
    end: Scalar,
    step: Scalar = 1,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """arange.start_step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return number_range(g, start, end, step, dtype or g.expected_dtype())


@symbolic("aten::arange.start")
def arange_start(
    g: SymbolicContext,
    start: Scalar,
    end: Scalar,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """arange.start(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return arange_start_step(g, start, end, 1, dtype)


@symbolic("aten::arange")
def arange(
    g: SymbolicContext,
    end: Scalar,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """arange(Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return arange_start_step(g, 0, end, 1, dtype)


@symbolic(
    "aten::linspace",
    "aten::linspace.Tensor_Tensor",
    "aten::linspace.Tensor_Scalar",
    "aten::linspace.Scalar_Tensor",
)
def linspace(
    g: SymbolicContext,
    start: Scalar,
    end: Scalar,
    steps: SymInt,
    dtype: ir.DataType | None = None,
    layout: str | None = None,
    device: str | None = None,
    pin_memory: bool | None = None,
) -> Value:
    """linspace(Scalar start, Scalar end, int steps, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"""
    return evenly_spaced(g, start, end, steps, dtype)
