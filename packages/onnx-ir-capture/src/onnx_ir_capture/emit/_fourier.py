"""Fourier transforms."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit._emitter import Emitter

__all__ = ["fourier_transform"]


def fourier_transform(
    emitter: Emitter, value: Value, length: SymInt | None, dim: int, inverse: bool, onesided: bool
) -> Value:
    """The Fourier transform along ``dim``, of real and imaginary parts in the last dimension."""
    dtype = value.dtype or ir.DataType.FLOAT
    size = value.shape[dim] if length is None and value.shape is not None else length
    if isinstance(size, int) and size & (size - 1) == 0:
        return emitter.DFT(value, length, dim, inverse=inverse, onesided=onesided)
    # ONNX Runtime transforms other lengths than powers of 2 by chirps whose phases grow with the square of
    # the index: in float32 three digits are lost at a length of 1000, and its inverse has float32's digits
    # in float64, too.
    wide = emitter.cast(value, ir.DataType.DOUBLE)
    if not inverse:
        return emitter.cast(emitter.DFT(wide, length, dim, onesided=onesided), dtype)
    signs = emitter.constant([1.0, -1.0], ir.DataType.DOUBLE)
    is_real = value.shape is not None and value.shape[-1] == 1
    conjugates = emitter.DFT(wide if is_real else emitter.Mul(wide, signs), length, dim)
    count = size if isinstance(size, int) else emitter.Gather(emitter.Shape(conjugates), dim)
    divisor = (
        emitter.constant([float(count), -float(count)], ir.DataType.DOUBLE)
        if isinstance(count, int)
        else (emitter.Mul(emitter.cast(count, ir.DataType.DOUBLE), signs))
    )
    return emitter.cast(emitter.Div(conjugates, divisor), dtype)
