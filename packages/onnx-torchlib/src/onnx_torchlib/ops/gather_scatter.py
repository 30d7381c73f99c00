"""Members picked by an index tensor of the result's shape, and written by one."""

from __future__ import annotations

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit import (
    as_tensor,
    dtype_of,
    gathered,
    reduced_along_index,
    scattered,
    scattered_and_reduced,
    taken_along,
)
from onnx_torchlib import Op, translator

__all__ = [
    "gather",
    "index_reduce",
    "scatter",
    "scatter_add",
    "scatter_reduce",
    "scatter_value",
    "scatter_value_with",
    "scatter_with",
    "take_along_dim",
]


@translator("aten::gather")
def gather(op: Op, self: Value, dim: int, index: Value, sparse_grad: bool = False) -> Value:
    """gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor"""
    return gathered(op, self, dim, index)


@translator("aten::take_along_dim")
def take_along_dim(op: Op, self: Value, indices: Value, dim: int | None = None) -> Value:
    """take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor"""
    return taken_along(op, self, indices, dim)


@translator("aten::scatter.src")
def scatter(op: Op, self: Value, dim: int, index: Value, src: Value) -> Value:
    """scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor"""
    return scattered(op, self, dim, index, src)


@translator("aten::scatter.value")
def scatter_value(op: Op, self: Value, dim: int, index: Value, value: Scalar) -> Value:
    """scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor"""
    return scattered(op, self, dim, index, as_tensor(op, value, dtype_of(op, self)))


@translator("aten::scatter.reduce")
def scatter_with(op: Op, self: Value, dim: int, index: Value, src: Value, reduce: str) -> Value:
    """scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor"""
    return scattered_and_reduced(op, self, dim, index, src, reduce)


@translator("aten::scatter.value_reduce")
def scatter_value_with(op: Op, self: Value, dim: int, index: Value, value: Scalar, reduce: str) -> Value:
    """scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor"""
    source = as_tensor(op, value, dtype_of(op, self))
    return scattered_and_reduced(op, self, dim, index, source, reduce)


@translator("aten::scatter_add")
def scatter_add(op: Op, self: Value, dim: int, index: Value, src: Value) -> Value:
    """scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor"""
    return scattered_and_reduced(op, self, dim, index, src, "add")


@translator("aten::scatter_reduce.two")
def scatter_reduce(
    op: Op, self: Value, dim: int, index: Value, src: Value, reduce: str, include_self: bool = True
) -> Value:
    """scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True) -> Tensor"""
    return scattered_and_reduced(op, self, dim, index, src, reduce, include_self)


@translator("aten::index_reduce")
def index_reduce(
    op: Op, self: Value, dim: int, index: Value, source: Value, reduce: str, include_self: bool = True
) -> Value:
    """index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True) -> Tensor"""
    return reduced_along_index(op, self, dim, index, source, reduce, include_self)
