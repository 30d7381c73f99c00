"""Fourier transforms."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import SymInt, Value
from onnx_torchlib import Op, translator

__all__ = ["dft"]


@translator("prim::dft")
def dft(op: Op, self: Value, length: SymInt | None, dim: int, inverse: bool, onesided: bool) -> Value:
    """dft(Tensor self, SymInt? length, int dim, bool inverse, bool onesided) -> Tensor

    The last dimension holds the real and the imaginary parts, or the real ones alone; the result always has
    both. The inverse is over the length, which is that of the dimension unless it is given.
    """
    dtype = self.dtype or ir.DataType.FLOAT
    size = self.shape[dim] if length is None and self.shape is not None else length
    if isinstance(size, int) and size & (size - 1) == 0:
        return op.DFT(self, length, dim, inverse=inverse, onesided=onesided)
    # ONNX Runtime transforms other lengths than powers of 2 by chirps whose phases grow with the square of
    # the index: in float32 three digits are lost at a length of 1000, and its inverse has float32's digits
    # in float64, too.
    wide = op.cast(self, ir.DataType.DOUBLE)
    if not inverse:
        return op.cast(op.DFT(wide, length, dim, onesided=onesided), dtype)
    signs = op.constant([1.0, -1.0], ir.DataType.DOUBLE)
    is_real = self.shape is not None and self.shape[-1] == 1
    conjugates = op.DFT(wide if is_real else op.Mul(wide, signs), length, dim)
    count = size if isinstance(size, int) else op.Gather(op.Shape(conjugates), dim)
    divisor = (
        op.constant([float(count), -float(count)], ir.DataType.DOUBLE)
        if isinstance(count, int)
        else (op.Mul(op.cast(count, ir.DataType.DOUBLE), signs))
    )
    return op.cast(op.Div(conjugates, divisor), dtype)
