"""Writing at places that index tensors name."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit import as_tensor, dtype_of, filled_where, promote, put_along, put_at
from onnx_torchlib import Op, translator

__all__ = ["index_add", "index_copy", "index_fill", "index_fill_tensor", "index_put", "masked_scatter", "put"]


@translator("aten::index_put", "aten::_unsafe_index_put")
def index_put(
    op: Op, self: Value, indices: Sequence[Value | None], values: Value, accumulate: bool = False
) -> Value:
    """index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor"""
    return put_at(op, self, indices, values, accumulate)


@translator("aten::index_add")
def index_add(op: Op, self: Value, dim: int, index: Value, source: Value, alpha: Scalar = 1) -> Value:
    """index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor"""
    scaled = source
    if isinstance(alpha, ir.Value) or alpha != 1:
        scaled = op.Mul(source, promote(op, alpha, dtype=source.dtype)[0])
    return put_along(op, self, dim, index, scaled, add=True)


@translator("aten::index_copy")
def index_copy(op: Op, self: Value, dim: int, index: Value, source: Value) -> Value:
    """index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor"""
    return put_along(op, self, dim, index, source)


@translator("aten::index_fill.int_Scalar")
def index_fill(op: Op, self: Value, dim: int, index: Value, value: Scalar) -> Value:
    """index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor"""
    return index_fill_tensor(op, self, dim, index, as_tensor(op, value, dtype_of(op, self)))


@translator("aten::index_fill.int_Tensor")
def index_fill_tensor(op: Op, self: Value, dim: int, index: Value, value: Value) -> Value:
    """index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor"""
    return put_along(op, self, dim, index, op.cast(value, dtype_of(op, self)), spread=True)


@translator("aten::masked_scatter")
def masked_scatter(op: Op, self: Value, mask: Value, source: Value) -> Value:
    """masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor"""
    return filled_where(op, self, mask, source)


@translator("aten::put")
def put(op: Op, self: Value, index: Value, source: Value, accumulate: bool = False) -> Value:
    """put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor"""
    line, places, values = (op.Reshape(value, [-1]) for value in (self, index, source))
    return op.Reshape(index_put(op, line, [places], values, accumulate), op.Shape(self), allowzero=1)
