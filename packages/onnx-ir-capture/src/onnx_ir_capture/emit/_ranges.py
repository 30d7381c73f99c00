"""Ranges of numbers."""

from __future__ import annotations

import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._promotion import promote, promoted_dtype

__all__ = ["number_range"]


def number_range(
    emitter: Emitter, start: Scalar, end: Scalar, step: Scalar, dtype: ir.DataType | None
) -> Value:
    """The numbers from ``start`` up to and without ``end``, in ``dtype`` or the one that torch gives them."""
    target = dtype or promoted_dtype((start, end, step), emitter.default_float)
    if all(_is_integral(number) for number in (start, end, step)):
        first, last, width = promote(emitter, start, end, step, dtype=ir.DataType.INT64)
        descends = isinstance(step, int) and step < 0
        return emitter.cast(_integer_range(emitter, first, last, width, descends), target)
    if not target.is_floating_point():
        emitter.refuse(
            "it counts by floats into integers, which torch does by dtype and device; give it integers"
        )
    return emitter.cast(_float_range(emitter, start, end, step), target)


def _is_integral(number: Scalar) -> bool:
    if isinstance(number, ir.Value):
        return number.dtype is not None and number.dtype.is_integer()
    return isinstance(number, int)


def _integer_range(emitter: Emitter, start: Value, end: Value, width: Value, descends: bool) -> Value:
    if descends:
        # ONNX Runtime makes a Slice of a Gather by a Range, and loses the elements where the Range descends.
        return emitter.Neg(emitter.Range(emitter.Neg(start), emitter.Neg(end), emitter.Neg(width)))
    return emitter.Range(start, end, width)


def _float_range(emitter: Emitter, start: Scalar, end: Scalar, step: Scalar) -> Value:
    """Each element from its own index, in double as torch does: adding up the step would add up its error."""
    first, last, width = promote(emitter, start, end, step, dtype=ir.DataType.DOUBLE)
    count = emitter.cast(emitter.Ceil(emitter.Div(emitter.Sub(last, first), width)), ir.DataType.INT64)
    index = emitter.cast(emitter.Range(0, count, 1), ir.DataType.DOUBLE)
    return emitter.Add(emitter.Mul(index, width), first)
