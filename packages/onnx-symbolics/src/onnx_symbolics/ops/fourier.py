"""Fourier transforms."""

from __future__ import annotations

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import fourier_transform
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["dft"]


@symbolic("prim::dft", since=17)
def dft(
    g: SymbolicContext, self: Value, length: SymInt | None, dim: int, inverse: bool, onesided: bool
) -> Value:
    """dft(Tensor self, SymInt? length, int dim, bool inverse, bool onesided) -> Tensor

    The last dimension holds the real and the imaginary parts, or the real ones alone; the result always has
    both. The inverse is over the length, which is that of the dimension unless it is given.
    """
    return fourier_transform(g, self, length, dim, inverse, onesided)
