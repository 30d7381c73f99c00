"""Reordered axes."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import Value
from onnx_ir_capture.emit import normalize_axis, rank_of, transposed
from onnx_torchlib import Op, translator

__all__ = ["mh", "movedim", "movedim_int", "mt", "permute", "t", "transpose"]


@translator("aten::permute", "aten::permute_copy")
def permute(op: Op, self: Value, dims: Sequence[int]) -> Value:
    """permute(Tensor(a) self, int[] dims) -> Tensor(a)"""
    rank = rank_of(op, self)
    return transposed(op, self, [normalize_axis(dim, rank) for dim in dims])


@translator("aten::transpose.int", "aten::swapaxes", "aten::swapdims", "aten::transpose_copy.int")
def transpose(op: Op, self: Value, dim0: int, dim1: int) -> Value:
    """transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)"""
    rank = rank_of(op, self)
    if rank == 0:
        return self
    first, second = normalize_axis(dim0, rank), normalize_axis(dim1, rank)
    order = list(range(rank))
    order[first], order[second] = second, first
    return transposed(op, self, order)


@translator("aten::t", "aten::numpy_T", "aten::t_copy")
def t(op: Op, self: Value) -> Value:
    """t(Tensor(a) self) -> Tensor(a)"""
    return transposed(op, self, list(range(rank_of(op, self)))[::-1])


@translator("aten::mT")
def mt(op: Op, self: Value) -> Value:
    """mT(Tensor(a) self) -> Tensor(a)"""
    return transpose(op, self, -2, -1)


@translator("aten::mH", "aten::adjoint", "aten::matrix_H")
def mh(op: Op, self: Value) -> Value:
    """mH(Tensor(a) self) -> Tensor(a)"""
    if self.dtype in (ir.DataType.COMPLEX64, ir.DataType.COMPLEX128):
        op.refuse("ONNX has no conjugate of complex numbers")
    return transpose(op, self, -2, -1)


@translator("aten::movedim.intlist", "aten::moveaxis.intlist")
def movedim(op: Op, self: Value, source: Sequence[int], destination: Sequence[int]) -> Value:
    """movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)"""
    rank = rank_of(op, self)
    if rank == 0:
        return self
    moved = [normalize_axis(axis, rank) for axis in source]
    places = [normalize_axis(axis, rank) for axis in destination]
    rest = iter(axis for axis in range(rank) if axis not in moved)
    order = [moved[places.index(place)] if place in places else next(rest) for place in range(rank)]
    return transposed(op, self, order)


@translator("aten::movedim.int", "aten::moveaxis.int")
def movedim_int(op: Op, self: Value, source: int, destination: int) -> Value:
    """movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a)"""
    return movedim(op, self, [source], [destination])
