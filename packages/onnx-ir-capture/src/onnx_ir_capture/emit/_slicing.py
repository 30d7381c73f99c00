"""Slices of an axis, pieces of one, and tensors joined along one."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._promotion import promote
from onnx_ir_capture.emit._shapes import dimension, normalize_axis, rank_of, size_vector

__all__ = ["cut", "divided", "joined", "narrowed", "pieces", "sliced", "split_into", "stacked", "transposed"]

_END = 2**63 - 1


def transposed(emitter: Emitter, value: Value, order: Sequence[int]) -> Value:
    """``value`` with its axes in ``order``, counted from the front; itself where they stand so already."""
    return value if list(order) == list(range(len(order))) else emitter.Transpose(value, perm=order)


def sliced(
    emitter: Emitter, value: Value, dim: int, start: SymInt | None, end: SymInt | None, step: SymInt
) -> Value:
    """The members of axis ``dim`` from ``start`` up to and without ``end``, which may count from the back."""
    first = 0 if start is None else start
    last = _END if end is None else end
    if _is(first, 0) and _is(step, 1) and _reaches_end(value, dim, last):
        return value
    bounds = (size_vector(emitter, [first]), size_vector(emitter, [last]))
    return emitter.Slice(value, *bounds, [dim], size_vector(emitter, [step]))


def _is(number: SymInt, wanted: int) -> bool:
    return isinstance(number, int) and number == wanted


def _reaches_end(value: Value, dim: int, last: SymInt) -> bool:
    """Whether no element of ``value`` lies behind ``last``."""
    if not isinstance(last, int):
        return False
    size = None if value.shape is None else value.shape[dim]
    return last == _END or (isinstance(size, int) and last >= size)


def narrowed(emitter: Emitter, value: Value, dim: int, start: SymInt, length: SymInt) -> Value:
    """``length`` members of axis ``dim`` from ``start`` on, which may count from the back."""
    first = start
    # One from the back and its end may lie on both sides of 0.
    if not isinstance(start, int):
        from_back = emitter.Add(start, dimension(emitter, value, dim))
        first = emitter.Where(emitter.Less(start, 0), from_back, start)
    elif start < 0:
        first = _sum(emitter, dimension(emitter, value, dim), start)
    return sliced(emitter, value, dim, first, _sum(emitter, first, length), 1)


def _sum(emitter: Emitter, left: SymInt, right: SymInt) -> SymInt:
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    return emitter.Add(left, right)


def joined(emitter: Emitter, values: Sequence[Value], dim: int) -> Value:
    """``values`` one after the other along axis ``dim``, in their promoted dtype."""
    promoted = promote(emitter, *values)
    rank = max(rank_of(emitter, value) for value in promoted)
    # torch lets an empty 1-d tensor, its oldest form of "nothing", stand beside tensors of any rank.
    kept = [value for value in promoted if rank == 1 or not _is_nothing(value)]
    return kept[0] if len(kept) == 1 else emitter.Concat(*kept, axis=normalize_axis(dim, rank))


def _is_nothing(value: Value) -> bool:
    return value.shape is not None and list(value.shape) == [0]


def stacked(emitter: Emitter, values: Sequence[Value], dim: int) -> Value:
    """``values`` of one shape along a new axis ``dim``."""
    axis = normalize_axis(dim, rank_of(emitter, values[0]) + 1)
    layers = [emitter.Unsqueeze(value, [axis]) for value in promote(emitter, *values)]
    return layers[0] if len(layers) == 1 else emitter.Concat(*layers, axis=axis)


def split_into(emitter: Emitter, value: Value, sizes: Sequence[SymInt], dim: int) -> Sequence[Value]:
    """Pieces of ``sizes`` along axis ``dim``."""
    if len(sizes) == 1:
        return [value]
    axis = normalize_axis(dim, rank_of(emitter, value))
    return emitter.Split(value, size_vector(emitter, sizes), axis=axis, outputs=len(sizes))


def pieces(emitter: Emitter, value: Value, size: SymInt, dim: int) -> Sequence[Value]:
    """Pieces of ``size``, of which the last may be smaller; their number is the captured program's."""
    count = len(emitter.frame.expected)
    if count == 1:
        return [value]
    whole = dimension(emitter, value, dim)
    if isinstance(whole, int) and isinstance(size, int):
        rest: SymInt = whole - size * (count - 1)
    else:
        others = size * (count - 1) if isinstance(size, int) else emitter.Mul(size, count - 1)
        rest = emitter.Sub(whole, others)
    return split_into(emitter, value, [*[size] * (count - 1), rest], dim)


def divided(emitter: Emitter, value: Value, dim: int) -> Sequence[Value]:
    """As many pieces as the captured program has, whose sizes differ by 1 at most, the larger ones first."""
    count = len(emitter.frame.expected)
    size = dimension(emitter, value, dim)
    if isinstance(size, int):
        sizes = [size // count + (place < size % count) for place in range(count)]
        return split_into(emitter, value, sizes, dim)
    least, more = emitter.Div(size, count), emitter.Mod(size, count)
    extra = [emitter.Cast(emitter.Greater(more, place), to=ir.DataType.INT64) for place in range(count)]
    return split_into(emitter, value, [emitter.Add(least, one) for one in extra], dim)


def cut(emitter: Emitter, value: Value, places: Sequence[SymInt], dim: int) -> Sequence[Value]:
    """What lies before the first of ``places``, between each two of them, and behind the last."""
    bounds: list[SymInt] = [0, *places, _END]
    return [
        emitter.Slice(value, size_vector(emitter, [first]), size_vector(emitter, [last]), [dim])
        for first, last in itertools.pairwise(bounds)
    ]
