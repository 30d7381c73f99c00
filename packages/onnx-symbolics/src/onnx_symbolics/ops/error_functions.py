"""The error function's relatives, and the normal distribution."""

from __future__ import annotations

import math

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import (
    Emitter,
    error_complement,
    in_double,
    log_normal_cdf,
    normal_quantile,
    scaled_error_complement,
)
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["erfc", "erfinv", "special_erfcx", "special_log_ndtr", "special_ndtr", "special_ndtri"]


@symbolic("aten::erfc", "aten::special_erfc")
def erfc(g: SymbolicContext, self: Value) -> Value:
    """erfc(Tensor self) -> Tensor"""
    return in_double(g, self, error_complement)


@symbolic("aten::special_erfcx")
def special_erfcx(g: SymbolicContext, self: Value) -> Value:
    """special_erfcx(Tensor self) -> Tensor"""
    return in_double(g, self, scaled_error_complement)


@symbolic("aten::erfinv", "aten::special_erfinv")
def erfinv(g: SymbolicContext, self: Value) -> Value:
    """erfinv(Tensor self) -> Tensor"""
    return in_double(g, self, _erfinv)


def _erfinv(emitter: Emitter, value: Value) -> Value:
    rest = emitter.Mul(emitter.Sub(1.0, emitter.Abs(value)), 0.5)
    return emitter.Mul(normal_quantile(emitter, emitter.Mul(value, 0.5), rest), math.sqrt(0.5))


@symbolic("aten::special_ndtri")
def special_ndtri(g: SymbolicContext, self: Value) -> Value:
    """special_ndtri(Tensor self) -> Tensor"""
    return in_double(g, self, _ndtri)


def _ndtri(emitter: Emitter, value: Value) -> Value:
    return normal_quantile(emitter, emitter.Sub(value, 0.5), emitter.Min(value, emitter.Sub(1.0, value)))


@symbolic("aten::special_ndtr")
def special_ndtr(g: SymbolicContext, self: Value) -> Value:
    """special_ndtr(Tensor self) -> Tensor"""
    return in_double(g, self, _ndtr)


def _ndtr(emitter: Emitter, value: Value) -> Value:
    return emitter.Mul(error_complement(emitter, emitter.Mul(value, -math.sqrt(0.5))), 0.5)


@symbolic("aten::special_log_ndtr")
def special_log_ndtr(g: SymbolicContext, self: Value) -> Value:
    """special_log_ndtr(Tensor self) -> Tensor"""
    return in_double(g, self, log_normal_cdf)
