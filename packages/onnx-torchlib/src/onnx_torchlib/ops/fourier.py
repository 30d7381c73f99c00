"""Fourier transforms."""

from __future__ import annotations

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import fourier_transform
from onnx_torchlib import Op, translator

__all__ = ["dft"]


@translator("prim::dft")
def dft(op: Op, self: Value, length: SymInt | None, dim: int, inverse: bool, onesided: bool) -> Value:
    """dft(Tensor self, SymInt? length, int dim, bool inverse, bool onesided) -> Tensor

    The last dimension holds the real and the imaginary parts, or the real ones alone; the result always has
    both. The inverse is over the length, which is that of the dimension unless it is given.
    """
    return fourier_transform(op, self, length, dim, inverse, onesided)
