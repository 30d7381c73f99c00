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
from onnx_torchlib import Op, translator

__all__ = ["erfc", "erfinv", "special_erfcx", "special_log_ndtr", "special_ndtr", "special_ndtri"]


@translator("aten::erfc", "aten::special_erfc")
def erfc(op: Op, self: Value) -> Value:
    """erfc(Tensor self) -> Tensor"""
    return in_double(op, self, error_complement)


@translator("aten::special_erfcx")
def special_erfcx(op: Op, self: Value) -> Value:
    """special_erfcx(Tensor self) -> Tensor"""
    return in_double(op, self, scaled_error_complement)


@translator("aten::erfinv", "aten::special_erfinv")
def erfinv(op: Op, self: Value) -> Value:
    """erfinv(Tensor self) -> Tensor"""
    return in_double(op, self, _erfinv)


def _erfinv(emitter: Emitter, value: Value) -> Value:
    rest = emitter.Mul(emitter.Sub(1.0, emitter.Abs(value)), 0.5)
    return emitter.Mul(normal_quantile(emitter, emitter.Mul(value, 0.5), rest), math.sqrt(0.5))


@translator("aten::special_ndtri")
def special_ndtri(op: Op, self: Value) -> Value:
    """special_ndtri(Tensor self) -> Tensor"""
    return in_double(op, self, _ndtri)


def _ndtri(emitter: Emitter, value: Value) -> Value:
    return normal_quantile(emitter, emitter.Sub(value, 0.5), emitter.Min(value, emitter.Sub(1.0, value)))


@translator("aten::special_ndtr")
def special_ndtr(op: Op, self: Value) -> Value:
    """special_ndtr(Tensor self) -> Tensor"""
    return in_double(op, self, _ndtr)


def _ndtr(emitter: Emitter, value: Value) -> Value:
    return emitter.Mul(error_complement(emitter, emitter.Mul(value, -math.sqrt(0.5))), 0.5)


@translator("aten::special_log_ndtr")
def special_log_ndtr(op: Op, self: Value) -> Value:
    """special_log_ndtr(Tensor self) -> Tensor"""
    return in_double(op, self, log_normal_cdf)
