"""Values held between bounds."""

from __future__ import annotations

from onnx_ir_capture.contracts import Operand, Scalar, Value
from onnx_ir_capture.emit import promote, promoted_dtype
from onnx_torchlib import Op, translator

__all__ = ["clamp", "clamp_max", "clamp_max_tensor", "clamp_min", "clamp_min_tensor", "clamp_tensor"]


@translator("aten::clamp", "aten::clip")
def clamp(op: Op, self: Value, min: Scalar | None = None, max: Scalar | None = None) -> Value:
    """clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor"""
    dtype = promoted_dtype([self, *(bound for bound in (min, max) if bound is not None)], op.default_float)
    (value,) = promote(op, self, dtype=dtype)
    low = None if min is None else promote(op, min, dtype=dtype)[0]
    high = None if max is None else promote(op, max, dtype=dtype)[0]
    return op.Clip(value, low, high)


@translator("aten::clamp_min")
def clamp_min(op: Op, self: Value, min: Scalar) -> Value:
    """clamp_min(Tensor self, Scalar min) -> Tensor"""
    return clamp(op, self, min)


@translator("aten::clamp_max")
def clamp_max(op: Op, self: Value, max: Scalar) -> Value:
    """clamp_max(Tensor self, Scalar max) -> Tensor"""
    return clamp(op, self, None, max)


@translator("aten::clamp.Tensor", "aten::clip.Tensor")
def clamp_tensor(op: Op, self: Value, min: Value | None = None, max: Value | None = None) -> Value:
    """clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor"""
    bounds: list[Operand] = [bound for bound in (min, max) if bound is not None]
    dtype = promoted_dtype([self, *bounds], op.default_float)
    (value,) = promote(op, self, dtype=dtype)
    # The order of torch: where the bounds cross, the upper one counts.
    if min is not None:
        value = op.Max(value, op.cast(min, dtype))
    return value if max is None else op.Min(value, op.cast(max, dtype))


@translator("aten::clamp_min.Tensor")
def clamp_min_tensor(op: Op, self: Value, min: Value) -> Value:
    """clamp_min.Tensor(Tensor self, Tensor min) -> Tensor"""
    return clamp_tensor(op, self, min)


@translator("aten::clamp_max.Tensor")
def clamp_max_tensor(op: Op, self: Value, max: Value) -> Value:
    """clamp_max.Tensor(Tensor self, Tensor max) -> Tensor"""
    return clamp_tensor(op, self, None, max)
