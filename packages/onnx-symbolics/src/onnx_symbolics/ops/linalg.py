"""Linear algebra."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Scalar, Value
from onnx_ir_capture.emit import (
    cross_product,
    determinant_of,
    diagonal_of,
    distances_between,
    kronecker_product,
    matrix_norm,
    rank_of,
    vector_norm,
)
from onnx_symbolics import SymbolicContext, symbolic
from onnx_symbolics.ops.reduce import sum_

__all__ = [
    "cdist",
    "chain_matmul",
    "cross",
    "det",
    "kron",
    "linalg_cross",
    "linalg_det",
    "linalg_matrix_norm",
    "linalg_matrix_norm_str",
    "linalg_multi_dot",
    "linalg_norm",
    "linalg_norm_str",
    "linalg_vecdot",
    "trace",
    "vdot",
]


@symbolic("aten::linalg_norm")
def linalg_norm(
    g: SymbolicContext,
    self: Value,
    ord: Scalar | None = None,
    dim: Sequence[int] | None = None,
    keepdim: bool = False,
    dtype: ir.DataType | None = None,
) -> Value:
    """linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"""
    axes = list(range(rank_of(g, self))) if dim is None else list(dim)
    if ord is None:
        return vector_norm(g, self, 2, axes, keepdim, dtype)
    if len(axes) == 1:
        return vector_norm(g, self, ord, axes, keepdim, dtype)
    return linalg_matrix_norm(g, self, ord, axes, keepdim, dtype)


@symbolic("aten::linalg_norm.ord_str")
def linalg_norm_str(
    g: SymbolicContext,
    self: Value,
    ord: str,
    dim: Sequence[int] | None = None,
    keepdim: bool = False,
    dtype: ir.DataType | None = None,
) -> Value:
    """linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"""
    return linalg_matrix_norm_str(g, self, ord, [0, 1] if dim is None else dim, keepdim, dtype)


@symbolic("aten::linalg_matrix_norm")
def linalg_matrix_norm(
    g: SymbolicContext,
    self: Value,
    ord: Scalar,
    dim: Sequence[int] = (-2, -1),
    keepdim: bool = False,
    dtype: ir.DataType | None = None,
) -> Value:
    """linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"""
    return matrix_norm(g, self, ord, dim, keepdim, dtype)


@symbolic("aten::linalg_matrix_norm.str_ord")
def linalg_matrix_norm_str(
    g: SymbolicContext,
    self: Value,
    ord: str = "fro",
    dim: Sequence[int] = (-2, -1),
    keepdim: bool = False,
    dtype: ir.DataType | None = None,
) -> Value:
    """linalg_matrix_norm.str_ord(Tensor self, str ord="fro", int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"""
    if ord != "fro":
        g.refuse("the nuclear norm takes singular values, which ONNX does not have")
    return vector_norm(g, self, 2, list(dim), keepdim, dtype)


@symbolic("aten::linalg_cross")
def linalg_cross(g: SymbolicContext, self: Value, other: Value, dim: int = -1) -> Value:
    """linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor"""
    return cross_product(g, self, other, dim)


@symbolic("aten::cross")
def cross(g: SymbolicContext, self: Value, other: Value, dim: int | None = None) -> Value:
    """cross(Tensor self, Tensor other, int? dim=None) -> Tensor"""
    if dim is not None:
        return linalg_cross(g, self, other, dim)
    sizes = tuple(self.shape or ())
    if 3 not in sizes:
        g.refuse("no axis is known to have the size 3")
    return linalg_cross(g, self, other, sizes.index(3))


@symbolic("aten::linalg_multi_dot")
def linalg_multi_dot(g: SymbolicContext, tensors: Sequence[Value]) -> Value:
    """linalg_multi_dot(Tensor[] tensors) -> Tensor"""
    product = tensors[0]
    for factor in tensors[1:]:
        product = g.MatMul(product, factor)
    return product


@symbolic("aten::chain_matmul")
def chain_matmul(g: SymbolicContext, matrices: Sequence[Value]) -> Value:
    """chain_matmul(Tensor[] matrices) -> Tensor"""
    return linalg_multi_dot(g, matrices)


@symbolic("aten::kron")
def kron(g: SymbolicContext, self: Value, other: Value) -> Value:
    """kron(Tensor self, Tensor other) -> Tensor"""
    return kronecker_product(g, self, other)


@symbolic("aten::trace")
def trace(g: SymbolicContext, self: Value) -> Value:
    """trace(Tensor self) -> Tensor"""
    return sum_(g, diagonal_of(g, self, 0, 0, 1))


@symbolic("aten::linalg_vecdot")
def linalg_vecdot(g: SymbolicContext, x: Value, y: Value, dim: int = -1) -> Value:
    """linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor"""
    return g.ReduceSum(g.Mul(x, y), [dim], keepdims=0)


@symbolic("aten::vdot")
def vdot(g: SymbolicContext, self: Value, other: Value) -> Value:
    """vdot(Tensor self, Tensor other) -> Tensor"""
    return g.MatMul(self, other)


@symbolic("aten::linalg_det", since=11)
def linalg_det(g: SymbolicContext, A: Value) -> Value:
    """linalg_det(Tensor A) -> Tensor"""
    if A.dtype == ir.DataType.DOUBLE:
        # ONNX Runtime's Det takes float only.
        return determinant_of(g, A)
    return g.Det(A)


@symbolic("aten::det", since=11)
def det(g: SymbolicContext, self: Value) -> Value:
    """det(Tensor self) -> Tensor"""
    return linalg_det(g, self)


@symbolic("aten::cdist", "aten::_cdist_forward")
def cdist(g: SymbolicContext, x1: Value, x2: Value, p: float = 2.0, compute_mode: int | None = None) -> Value:
    """cdist(Tensor x1, Tensor x2, float p=2., int? compute_mode=None) -> Tensor"""
    return distances_between(g, x1, x2, p)
