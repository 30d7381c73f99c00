"""Functions that ONNX has no operator for: series, computed in DOUBLE."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit._dtypes import as_floating, dtype_of
from onnx_ir_capture.emit._emitter import Emitter

__all__ = ["in_double", "polynomial"]


def in_double(emitter: Emitter, value: Value, function: Callable[[Emitter, Value], Value]) -> Value:
    """What ``function`` makes of ``value`` as DOUBLE, in the dtype of torch's float functions.

    The series of this package are exact to some 1e-14, so that what DOUBLE rounds is not seen in FLOAT.
    """
    floating = as_floating(emitter, value)
    result = function(emitter, emitter.cast(floating, ir.DataType.DOUBLE))
    return emitter.cast(result, dtype_of(emitter, floating))


def polynomial(emitter: Emitter, value: Value, coefficients: Sequence[float]) -> Value:
    """The sum of ``coefficients[i] * value**i``, by Horner's rule; there are two of them at least."""
    *rest, last = coefficients
    result: Value | float = last
    for coefficient in reversed(rest):
        product = emitter.Mul(value, result)
        # A term that is 0 is left out.
        result = emitter.Add(product, coefficient) if coefficient else product
    if not isinstance(result, ir.Value):
        raise ValueError("a polynomial has two coefficients at least")
    return result
