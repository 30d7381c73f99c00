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
from onnx_symbolics import SymbolicContext, symbolic

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


@symbolic("aten::gather")
def gather(g: SymbolicContext, self: Value, dim: int, index: Value, sparse_grad: bool = False) -> Value:
    """gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor"""
    return gathered(g, self, dim, index)


@symbolic("aten::take_along_dim")
def take_along_dim(g: SymbolicContext, self: Value, indices: Value, dim: int | None = None) -> Value:
    """take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor"""
    return taken_along(g, self, indices, dim)


@symbolic("aten::scatter.src")
def scatter(g: SymbolicContext, self: Value, dim: int, index: Value, src: Value) -> Value:
    """scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor"""
    return scattered(g, self, dim, index, src)


@symbolic("aten::scatter.value")
def scatter_value(g: SymbolicContext, self: Value, dim: int, index: Value, value: Scalar) -> Value:
    """scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor"""
    return scattered(g, self, dim, index, as_tensor(g, value, dtype_of(g, self)))


@symbolic("aten::scatter.reduce", since=16)
def scatter_with(g: SymbolicContext, self: Value, dim: int, index: Value, src: Value, reduce: str) -> Value:
    """scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor"""
    return scattered_and_reduced(g, self, dim, index, src, reduce)


@symbolic("aten::scatter.value_reduce", since=16)
def scatter_value_with(
    g: SymbolicContext, self: Value, dim: int, index: Value, value: Scalar, reduce: str
) -> Value:
    """scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor"""
    source = as_tensor(g, value, dtype_of(g, self))
    return scattered_and_reduced(g, self, dim, index, source, reduce)


@symbolic("aten::scatter_add", since=16)
def scatter_add(g: SymbolicContext, self: Value, dim: int, index: Value, src: Value) -> Value:
    """scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor"""
    return scattered_and_reduced(g, self, dim, index, src, "add")


@symbolic("aten::scatter_reduce.two", since=16)
def scatter_reduce(
    g: SymbolicContext,
    self: Value,
    dim: int,
    index: Value,
    src: Value,
    reduce: str,
    include_self: bool = True,
) -> Value:
    """scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True) -> Tensor"""
    return scattered_and_reduced(g, self, dim, index, src, reduce, include_self)


@symbolic("aten::index_reduce", since=16)
def index_reduce(
    g: SymbolicContext,
    self: Value,
    dim: int,
    index: Value,
    source: Value,
    reduce: str,
    include_self: bool = True,
) -> Value:
    """index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True) -> Tensor"""
    return reduced_along_index(g, self, dim, index, source, reduce, include_self)
