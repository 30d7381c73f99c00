"""Writing at places that index tensors name."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit import as_tensor, dtype_of, filled_where, promote, put_along, put_at
from onnx_symbolics import SymbolicContext, symbolic

__all__ = ["index_add", "index_copy", "index_fill", "index_fill_tensor", "index_put", "masked_scatter", "put"]


@symbolic("aten::index_put", "aten::_unsafe_index_put")
def index_put(
    g: SymbolicContext, self: Value, indices: Sequence[Value | None], values: Value, accumulate: bool = False
) -> Value:
    """index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor"""
    return put_at(g, self, indices, values, accumulate)


@symbolic("aten::index_add", since=16)
def index_add(
    g: SymbolicContext, self: Value, dim: int, index: Value, source: Value, alpha: Scalar = 1
) -> Value:
    """index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor"""
    scaled = source
    if isinstance(alpha, ir.Value) or alpha != 1:
        scaled = g.Mul(source, promote(g, alpha, dtype=source.dtype)[0])
    return put_along(g, self, dim, index, scaled, add=True)


@symbolic("aten::index_copy")
def index_copy(g: SymbolicContext, self: Value, dim: int, index: Value, source: Value) -> Value:
    """index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor"""
    return put_along(g, self, dim, index, source)


@symbolic("aten::index_fill.int_Scalar")
def index_fill(g: SymbolicContext, self: Value, dim: int, index: Value, value: Scalar) -> Value:
    """index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor"""
    return index_fill_tensor(g, self, dim, index, as_tensor(g, value, dtype_of(g, self)))


@symbolic("aten::index_fill.int_Tensor")
def index_fill_tensor(g: SymbolicContext, self: Value, dim: int, index: Value, value: Value) -> Value:
    """index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor"""
    return put_along(g, self, dim, index, g.cast(value, dtype_of(g, self)), spread=True)


@symbolic("aten::masked_scatter")
def masked_scatter(g: SymbolicContext, self: Value, mask: Value, source: Value) -> Value:
    """masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor"""
    return filled_where(g, self, mask, source)


@symbolic("aten::put")
def put(g: SymbolicContext, self: Value, index: Value, source: Value, accumulate: bool = False) -> Value:
    """put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor"""
    line, places, values = (g.Reshape(value, [-1]) for value in (self, index, source))
    return g.Reshape(index_put(g, line, [places], values, accumulate), g.Shape(self), allowzero=1)
