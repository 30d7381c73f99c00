"""Quantized tensors as integers on a grid, and the rounding of floats to one."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import dequantized, fake_quantized, quantized
from onnx_symbolics import SymbolicContext, symbolic

__all__ = [
    "dequantize_per_channel",
    "dequantize_per_tensor",
    "fake_quantize_per_channel_affine",
    "fake_quantize_per_tensor_affine",
    "quantize_per_channel",
    "quantize_per_tensor",
]


@symbolic("quantized_decomposed::quantize_per_tensor", "quantized_decomposed::quantize_per_tensor.tensor")
def quantize_per_tensor(
    g: SymbolicContext,
    input: Value,
    scale: float | Value,
    zero_point: int | Value,
    quant_min: int,
    quant_max: int,
    dtype: ir.DataType,
) -> Value:
    """quantize_per_tensor(Tensor input, float scale, int zero_point, int quant_min, int quant_max, ScalarType dtype) -> Tensor"""
    return quantized(g, input, scale, zero_point, (quant_min, quant_max), dtype)


@symbolic("quantized_decomposed::dequantize_per_tensor", "quantized_decomposed::dequantize_per_tensor.tensor")
def dequantize_per_tensor(
    g: SymbolicContext,
    input: Value,
    scale: float | Value,
    zero_point: int | Value,
    quant_min: int,
    quant_max: int,
    dtype: ir.DataType,
    out_dtype: ir.DataType | None = None,
) -> Value:
    """dequantize_per_tensor(Tensor input, float scale, int zero_point, int quant_min, int quant_max, ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor"""
    return g.cast(dequantized(g, input, scale, zero_point), out_dtype or ir.DataType.FLOAT)


@symbolic("quantized_decomposed::quantize_per_channel", since=13)
def quantize_per_channel(
    g: SymbolicContext,
    input: Value,
    scales: Value,
    zero_points: Value,
    axis: int,
    quant_min: int,
    quant_max: int,
    dtype: ir.DataType,
) -> Value:
    """quantize_per_channel(Tensor input, Tensor scales, Tensor zero_points, int axis, int quant_min, int quant_max, ScalarType dtype) -> Tensor"""
    return quantized(g, input, scales, zero_points, (quant_min, quant_max), dtype, axis)


@symbolic("quantized_decomposed::dequantize_per_channel")
def dequantize_per_channel(
    g: SymbolicContext,
    input: Value,
    scales: Value,
    zero_points: Value | None,
    axis: int,
    quant_min: int,
    quant_max: int,
    dtype: ir.DataType,
    out_dtype: ir.DataType | None = None,
) -> Value:
    """dequantize_per_channel(Tensor input, Tensor scales, Tensor? zero_points, int axis, int quant_min, int quant_max, ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor"""
    return g.cast(dequantized(g, input, scales, zero_points, axis), out_dtype or ir.DataType.FLOAT)


@symbolic("aten::fake_quantize_per_tensor_affine", "aten::fake_quantize_per_tensor_affine.tensor_qparams")
def fake_quantize_per_tensor_affine(
    g: SymbolicContext,
    self: Value,
    scale: float | Value,
    zero_point: int | Value,
    quant_min: int,
    quant_max: int,
) -> Value:
    """fake_quantize_per_tensor_affine(Tensor self, float scale, int zero_point, int quant_min, int quant_max) -> Tensor"""
    return fake_quantized(g, self, scale, zero_point, (quant_min, quant_max))


@symbolic("aten::fake_quantize_per_channel_affine", since=13)
def fake_quantize_per_channel_affine(
    g: SymbolicContext,
    self: Value,
    scale: Value,
    zero_point: Value,
    axis: int,
    quant_min: int,
    quant_max: int,
) -> Value:
    """fake_quantize_per_channel_affine(Tensor self, Tensor scale, Tensor zero_point, int axis, int quant_min, int quant_max) -> Tensor"""
    return fake_quantized(g, self, scale, zero_point, (quant_min, quant_max), axis)
