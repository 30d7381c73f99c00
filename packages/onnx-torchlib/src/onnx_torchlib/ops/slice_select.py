"""Slices and selected members of an axis."""

from __future__ import annotations

from collections.abc import Callable

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import dimension, size_vector
from onnx_torchlib import Op, translator

__all__ = ["narrow", "select", "slice_"]

_END = 2**63 - 1


@translator("aten::slice.Tensor", "aten::slice_copy.Tensor")
def slice_(
    op: Op,
    self: Value,
    dim: int = 0,
    start: SymInt | None = None,
    end: SymInt | None = None,
    step: SymInt = 1,
) -> Value:
    """slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor(a)"""
    first = 0 if start is None else start
    last = _END if end is None else end
    if _is_zero(first) and _is_one(step) and _reaches_end(self, dim, last):
        return self
    return op.Slice(self, size_vector(op, [first]), size_vector(op, [last]), [dim], size_vector(op, [step]))


def _is_zero(number: SymInt) -> bool:
    return isinstance(number, int) and number == 0


def _is_one(number: SymInt) -> bool:
    return isinstance(number, int) and number == 1


def _reaches_end(value: Value, dim: int, last: SymInt) -> bool:
    """Whether no element of ``value`` lies behind ``last``."""
    if not isinstance(last, int):
        return False
    size = None if value.shape is None else value.shape[dim]
    return last == _END or (isinstance(size, int) and last >= size)


@translator("aten::select.int", "aten::select_copy.int")
def select(op: Op, self: Value, dim: int, index: SymInt) -> Value:
    """select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)"""
    return op.Gather(self, op.constant(index) if isinstance(index, int) else index, axis=dim)


@translator("aten::narrow", "aten::narrow_copy")
def narrow(op: Op, self: Value, dim: int, start: SymInt, length: SymInt) -> Value:
    """narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)"""
    first = _from_front(op, start, lambda: dimension(op, self, dim))
    return slice_(op, self, dim, first, _sum(op, first, length))


def _from_front(op: Op, start: SymInt, size: Callable[[], SymInt]) -> SymInt:
    """``start`` counted from the front: a negative one and its end may lie on both sides of 0."""
    if isinstance(start, int):
        return start if start >= 0 else _sum(op, size(), start)
    return op.Where(op.Less(start, 0), op.Add(start, size()), start)


def _sum(op: Op, left: SymInt, right: SymInt) -> SymInt:
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    return op.Add(left, right)
