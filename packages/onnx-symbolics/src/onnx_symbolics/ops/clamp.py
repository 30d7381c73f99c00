"""Values held between bounds."""

from __future__ import annotations

from onnx_ir_capture.contracts import Operand, Scalar, Value
from onnx_ir_capture.emit import promote, promoted_dtype
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["clamp", "clamp_max", "clamp_max_tensor", "clamp_min", "clamp_min_tensor", "clamp_tensor"]


@symbolic("aten::clamp", "aten::clip")
def clamp(g: SymbolicContext, self: Value, min: Scalar | None = None, max: Scalar | None = None) -> Value:
    """clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor"""
    dtype = promoted_dtype([self, *(bound for bound in (min, max) if bound is not None)], g.default_float)
    (value,) = promote(g, self, dtype=dtype)
    low = None if min is None else promote(g, min, dtype=dtype)[0]
    high = None if max is None else promote(g, max, dtype=dtype)[0]
    return g.Clip(value, low, high)


@symbolic("aten::clamp_min")
def clamp_min(g: SymbolicContext, self: Value, min: Scalar) -> Value:
    """clamp_min(Tensor self, Scalar min) -> Tensor"""
    return clamp(g, self, min)


@symbolic("aten::clamp_max")
def clamp_max(g: SymbolicContext, self: Value, max: Scalar) -> Value:
    """clamp_max(Tensor self, Scalar max) -> Tensor"""
    return clamp(g, self, None, max)


@symbolic("aten::clamp.Tensor", "aten::clip.Tensor")
def clamp_tensor(
    g: SymbolicContext, self: Value, min: Value | None = None, max: Value | None = None
) -> Value:
    """clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor"""
    bounds: list[Operand] = [bound for bound in (min, max) if bound is not None]
    dtype = promoted_dtype([self, *bounds], g.default_float)
    (value,) = promote(g, self, dtype=dtype)
    # The order of torch: where the bounds cross, the upper one counts.
    if min is not None:
        value = g.Max(value, g.cast(min, dtype))
    return value if max is None else g.Min(value, g.cast(max, dtype))


@symbolic("aten::clamp_min.Tensor")
def clamp_min_tensor(g: SymbolicContext, self: Value, min: Value) -> Value:
    """clamp_min.Tensor(Tensor self, Tensor min) -> Tensor"""
    return clamp_tensor(g, self, min)


@symbolic("aten::clamp_max.Tensor")
def clamp_max_tensor(g: SymbolicContext, self: Value, max: Value) -> Value:
    """clamp_max.Tensor(Tensor self, Tensor max) -> Tensor"""
    return clamp_tensor(g, self, None, max)
