"""Values held between bounds."""

from __future__ import annotations

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit import promote, promoted_dtype

from onnx_torchlib import Op, translator

__all__ = ["clamp", "clamp_min"]


@translator("aten::clamp")
def clamp(op: Op, self: Value, min: Scalar | None = None, max: Scalar | None = None) -> Value:
    """clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor"""
    dtype = promoted_dtype([self, *(bound for bound in (min, max) if bound is not None)])
    (value,) = promote(op, self, dtype=dtype)
    low = None if min is None else promote(op, min, dtype=dtype)[0]
    high = None if max is None else promote(op, max, dtype=dtype)[0]
    return op.Clip(value, low, high)


@translator("aten::clamp_min")
def clamp_min(op: Op, self: Value, min: Scalar) -> Value:
    """clamp_min(Tensor self, Scalar min) -> Tensor"""
    return clamp(op, self, min)
