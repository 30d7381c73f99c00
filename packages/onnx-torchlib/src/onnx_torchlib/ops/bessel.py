"""Modified Bessel functions of the first kind."""

from __future__ import annotations

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import in_double, modified_bessel
from onnx_torchlib import Op, translator

__all__ = ["i0", "special_i0e", "special_i1", "special_i1e"]


@translator("aten::i0", "aten::special_i0", "aten::special_modified_bessel_i0")
def i0(op: Op, self: Value) -> Value:
    """i0(Tensor self) -> Tensor"""
    return _bessel(op, self, 0, is_scaled=False)


@translator("aten::special_i0e")
def special_i0e(op: Op, self: Value) -> Value:
    """special_i0e(Tensor self) -> Tensor"""
    return _bessel(op, self, 0, is_scaled=True)


@translator("aten::special_i1", "aten::special_modified_bessel_i1")
def special_i1(op: Op, self: Value) -> Value:
    """special_i1(Tensor self) -> Tensor"""
    return _bessel(op, self, 1, is_scaled=False)


@translator("aten::special_i1e")
def special_i1e(op: Op, self: Value) -> Value:
    """special_i1e(Tensor self) -> Tensor"""
    return _bessel(op, self, 1, is_scaled=True)


def _bessel(op: Op, self: Value, order: int, *, is_scaled: bool) -> Value:
    return in_double(
        op, self, lambda emitter, value: modified_bessel(emitter, order, value, is_scaled=is_scaled)
    )
