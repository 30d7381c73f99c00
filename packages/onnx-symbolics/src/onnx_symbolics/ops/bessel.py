"""Modified Bessel functions of the first kind."""

from __future__ import annotations

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import in_double, modified_bessel
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["i0", "special_i0e", "special_i1", "special_i1e"]


@symbolic("aten::i0", "aten::special_i0", "aten::special_modified_bessel_i0")
def i0(g: SymbolicContext, self: Value) -> Value:
    """i0(Tensor self) -> Tensor"""
    return _bessel(g, self, 0, is_scaled=False)


@symbolic("aten::special_i0e")
def special_i0e(g: SymbolicContext, self: Value) -> Value:
    """special_i0e(Tensor self) -> Tensor"""
    return _bessel(g, self, 0, is_scaled=True)


@symbolic("aten::special_i1", "aten::special_modified_bessel_i1")
def special_i1(g: SymbolicContext, self: Value) -> Value:
    """special_i1(Tensor self) -> Tensor"""
    return _bessel(g, self, 1, is_scaled=False)


@symbolic("aten::special_i1e")
def special_i1e(g: SymbolicContext, self: Value) -> Value:
    """special_i1e(Tensor self) -> Tensor"""
    return _bessel(g, self, 1, is_scaled=True)


def _bessel(g: SymbolicContext, self: Value, order: int, *, is_scaled: bool) -> Value:
    return in_double(
        g, self, lambda emitter, value: modified_bessel(emitter, order, value, is_scaled=is_scaled)
    )
