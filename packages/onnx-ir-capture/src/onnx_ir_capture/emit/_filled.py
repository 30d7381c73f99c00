"""Tensors of one number."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, SymInt, Value
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._promotion import promote
from onnx_ir_capture.emit._shapes import size_vector

__all__ = ["as_tensor", "filled", "filled_like"]


def as_tensor(emitter: Emitter, number: Scalar, dtype: ir.DataType) -> Value:
    """A 0-d tensor; a float loses its fraction on the way to an integer dtype, as in torch."""
    if dtype.is_integer() and isinstance(number, float):
        number = int(number)
    return promote(emitter, number, dtype=dtype)[0]


def filled(emitter: Emitter, size: Sequence[SymInt], number: Scalar, dtype: ir.DataType) -> Value:
    """A tensor of shape ``size`` whose every element is ``number``."""
    value = as_tensor(emitter, number, dtype)
    return emitter.Expand(value, size_vector(emitter, size)) if size else value


def filled_like(emitter: Emitter, like: Value, number: Scalar, dtype: ir.DataType) -> Value:
    """A tensor of the shape of ``like`` whose every element is ``number``."""
    sizes = [] if like.shape is None else [size for size in like.shape if isinstance(size, int)]
    if like.shape is not None and len(sizes) == len(like.shape):
        return filled(emitter, sizes, number, dtype)
    return emitter.Expand(as_tensor(emitter, number, dtype), emitter.Shape(like))
