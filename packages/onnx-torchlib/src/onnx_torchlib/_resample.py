"""Resampling along axes as torch does it: which elements are read, and with which weights."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import onnx_ir as ir

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import dtype_of, rank_of
from onnx_torchlib._op import Op

__all__ = ["Axis", "reads_what_resize_reads", "resampled"]

# The coefficient of torch's cubic convolution.
_CUBIC = -0.75


@dataclasses.dataclass(frozen=True)
class Axis:
    """An axis to resample: its place, its sizes before and after, and the scale that was asked for.

    Where ``by_sizes`` is given and true, a size that stays or doubles counts instead of the scale.
    """

    place: int
    size: SymInt
    wanted: SymInt
    scale: float | None
    by_sizes: Value | None = None


def reads_what_resize_reads(axis: Axis, centered: bool) -> bool:
    """Whether torch's nearest neighbours are those of ONNX's Resize, whose definition is in real numbers.

    torch multiplies by a rounded reciprocal: at scale 41, element 41 is still read from element 0.
    """
    size, wanted, scale = axis.size, axis.wanted, axis.scale
    if axis.by_sizes is not None:
        return False
    if scale is not None and np.frexp(scale)[0] == 0.5:
        return True
    if not isinstance(size, int) or not isinstance(wanted, int):
        return False
    if size == 0 or wanted == 0:
        return False
    step = np.float32(size) / np.float32(wanted) if scale is None else np.float32(1.0 / scale)
    ratio = np.float32(wanted) / np.float32(size) if scale is None else np.float32(scale)
    shift = np.float32(0.5 if centered else 0.0)
    steps = np.arange(wanted, dtype=np.float32)
    torch_reads = np.minimum(np.floor((steps + shift) * step), size - 1)
    divided = np.minimum(np.floor((steps + shift) / ratio), size - 1)
    # The exact quotient (2i + 1) / 2 or i, over wanted / size.
    top, bottom = (wanted, size) if scale is None else float(ratio).as_integer_ratio()
    doubled = [2 * place + int(centered) for place in range(wanted)]
    exact = np.array([min(number * bottom // (2 * top), size - 1) for number in doubled])
    return np.array_equal(torch_reads, exact) and np.array_equal(divided, exact)


def resampled(op: Op, value: Value, axes: Sequence[Axis], mode: str, align_corners: bool) -> Value:
    """``value`` with each of ``axes`` resampled; mode is nearest, nearest_exact, linear or cubic."""
    given = dtype_of(op, value)
    if mode.startswith("nearest"):
        for axis in axes:
            value = op.Gather(value, _neighbours(op, axis, mode, _working_dtype(given)), axis=axis.place)
        return value
    working = _working_dtype(given)
    value = op.cast(value, working)
    taps = _linear_taps if mode == "linear" else _cubic_taps
    for axis in axes:
        position = _positions(op, axis, mode, align_corners, working)
        value = _blend(op, value, axis, taps(op, axis, position, working))
    return op.cast(value, given)


def _working_dtype(dtype: ir.DataType) -> ir.DataType:
    return ir.DataType.DOUBLE if dtype == ir.DataType.DOUBLE else ir.DataType.FLOAT


def _number(op: Op, size: SymInt, dtype: ir.DataType) -> Value:
    return op.constant(size, dtype) if isinstance(size, int) else op.cast(size, dtype)


def _step(op: Op, axis: Axis, align_corners: bool, dtype: ir.DataType) -> Value:
    """How far apart in the input neighbours of the output are."""
    size, wanted = _number(op, axis.size, dtype), _number(op, axis.wanted, dtype)
    if align_corners:
        return op.Div(op.Sub(size, 1), op.Max(op.Sub(wanted, 1), op.constant(1, dtype)))
    if axis.scale is None:
        return op.Div(size, wanted)
    step = op.constant(1.0 / axis.scale, dtype)
    if axis.by_sizes is None:
        return step
    whole = op.Or(op.Equal(wanted, size), op.Equal(wanted, op.Mul(size, 2)))
    return op.Where(op.And(axis.by_sizes, whole), op.Div(size, wanted), step)


def _positions(op: Op, axis: Axis, mode: str, align_corners: bool, dtype: ir.DataType) -> Value:
    """Where in the input each element of the output lies."""
    step = _step(op, axis, align_corners, dtype)
    steps = op.cast(op.Range(0, axis.wanted, 1), dtype)
    if align_corners or mode == "nearest":
        return op.Mul(steps, step)
    centers = op.Mul(op.Add(steps, 0.5), step)
    if mode == "nearest_exact":
        return centers
    position = op.Sub(centers, 0.5)
    if mode == "cubic":
        return position
    position = op.Max(position, op.constant(0, dtype))
    if axis.scale is None or axis.scale < 1:
        return position
    # torch interpolates linearly along an axis only if that changes its size.
    return op.Where(op.Equal(_number(op, axis.size, ir.DataType.INT64), axis.wanted), steps, position)


def _last(op: Op, axis: Axis) -> SymInt:
    return axis.size - 1 if isinstance(axis.size, int) else op.Sub(axis.size, 1)


def _neighbours(op: Op, axis: Axis, mode: str, dtype: ir.DataType) -> Value:
    positions = op.Floor(_positions(op, axis, mode, False, dtype))
    return op.Min(op.cast(positions, ir.DataType.INT64), _last(op, axis))


_Taps = Sequence[tuple[Value, Value]]
"""For each element of the output indices into the input, with weights."""


def _apart(op: Op, axis: Axis, position: Value, dtype: ir.DataType) -> tuple[Value, Value]:
    """The element that begins the interval of ``position``, and how far into the interval it lies."""
    first = op.Min(op.cast(op.Floor(position), ir.DataType.INT64), _last(op, axis))
    share = op.Min(op.Sub(position, op.cast(first, dtype)), op.constant(1, dtype))
    return first, share


def _linear_taps(op: Op, axis: Axis, position: Value, dtype: ir.DataType) -> _Taps:
    first, share = _apart(op, axis, position, dtype)
    second = op.Min(op.Add(first, 1), _last(op, axis))
    return [(first, op.Sub(1.0, share)), (second, share)]


def _cubic_taps(op: Op, axis: Axis, position: Value, dtype: ir.DataType) -> _Taps:
    first, share = _apart(op, axis, position, dtype)
    rest = op.Sub(1.0, share)
    weights = [
        _outer(op, op.Add(share, 1.0)),
        _inner(op, share),
        _inner(op, rest),
        _outer(op, op.Add(rest, 1.0)),
    ]
    places = [op.Max(op.Min(op.Add(first, shift), _last(op, axis)), 0) for shift in (-1, 0, 1, 2)]
    return list(zip(places, weights, strict=True))


def _inner(op: Op, distance: Value) -> Value:
    """The kernel of cubic convolution up to a distance of 1."""
    slope = op.Sub(op.Mul(distance, _CUBIC + 2), _CUBIC + 3)
    return op.Add(op.Mul(op.Mul(slope, distance), distance), 1.0)


def _outer(op: Op, distance: Value) -> Value:
    """The kernel of cubic convolution from a distance of 1 to 2."""
    inner = op.Add(op.Mul(op.Sub(op.Mul(distance, _CUBIC), 5 * _CUBIC), distance), 8 * _CUBIC)
    return op.Sub(op.Mul(inner, distance), 4 * _CUBIC)


def _blend(op: Op, value: Value, axis: Axis, taps: _Taps) -> Value:
    trailing = list(range(1, rank_of(op, value) - axis.place))
    total: Value | None = None
    for places, weights in taps:
        column = op.Unsqueeze(weights, trailing) if trailing else weights
        part = op.Mul(op.Gather(value, places, axis=axis.place), column)
        total = part if total is None else op.Add(total, part)
    if total is None:
        raise ValueError("resampling reads at least one element")
    return total
