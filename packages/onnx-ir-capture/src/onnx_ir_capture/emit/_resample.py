"""Resampling along axes as torch does it: which elements are read, and with which weights."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import onnx_ir as ir

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit._dtypes import dtype_of
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._shapes import rank_of

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


def resampled(emitter: Emitter, value: Value, axes: Sequence[Axis], mode: str, align_corners: bool) -> Value:
    """``value`` with each of ``axes`` resampled; mode is nearest, nearest_exact, linear or cubic."""
    given = dtype_of(emitter, value)
    if mode.startswith("nearest"):
        for axis in axes:
            value = emitter.Gather(
                value, _neighbours(emitter, axis, mode, _working_dtype(given)), axis=axis.place
            )
        return value
    working = _working_dtype(given)
    value = emitter.cast(value, working)
    taps = _linear_taps if mode == "linear" else _cubic_taps
    for axis in axes:
        position = _positions(emitter, axis, mode, align_corners, working)
        value = _blend(emitter, value, axis, taps(emitter, axis, position, working))
    return emitter.cast(value, given)


def _working_dtype(dtype: ir.DataType) -> ir.DataType:
    return ir.DataType.DOUBLE if dtype == ir.DataType.DOUBLE else ir.DataType.FLOAT


def _number(emitter: Emitter, size: SymInt, dtype: ir.DataType) -> Value:
    return emitter.constant(size, dtype) if isinstance(size, int) else emitter.cast(size, dtype)


def _step(emitter: Emitter, axis: Axis, align_corners: bool, dtype: ir.DataType) -> Value:
    """How far apart in the input neighbours of the output are."""
    size, wanted = _number(emitter, axis.size, dtype), _number(emitter, axis.wanted, dtype)
    if align_corners:
        return emitter.Div(
            emitter.Sub(size, 1), emitter.Max(emitter.Sub(wanted, 1), emitter.constant(1, dtype))
        )
    if axis.scale is None:
        return emitter.Div(size, wanted)
    step = emitter.constant(1.0 / axis.scale, dtype)
    if axis.by_sizes is None:
        return step
    whole = emitter.Or(emitter.Equal(wanted, size), emitter.Equal(wanted, emitter.Mul(size, 2)))
    return emitter.Where(emitter.And(axis.by_sizes, whole), emitter.Div(size, wanted), step)


def _positions(emitter: Emitter, axis: Axis, mode: str, align_corners: bool, dtype: ir.DataType) -> Value:
    """Where in the input each element of the output lies."""
    step = _step(emitter, axis, align_corners, dtype)
    steps = emitter.cast(emitter.Range(0, axis.wanted, 1), dtype)
    if align_corners or mode == "nearest":
        return emitter.Mul(steps, step)
    centers = emitter.Mul(emitter.Add(steps, 0.5), step)
    if mode == "nearest_exact":
        return centers
    position = emitter.Sub(centers, 0.5)
    if mode == "cubic":
        return position
    position = emitter.Max(position, emitter.constant(0, dtype))
    if axis.scale is None or axis.scale < 1:
        return position
    # torch interpolates linearly along an axis only if that changes its size.
    return emitter.Where(
        emitter.Equal(_number(emitter, axis.size, ir.DataType.INT64), axis.wanted), steps, position
    )


def _last(emitter: Emitter, axis: Axis) -> SymInt:
    return axis.size - 1 if isinstance(axis.size, int) else emitter.Sub(axis.size, 1)


def _neighbours(emitter: Emitter, axis: Axis, mode: str, dtype: ir.DataType) -> Value:
    positions = emitter.Floor(_positions(emitter, axis, mode, False, dtype))
    return emitter.Min(emitter.cast(positions, ir.DataType.INT64), _last(emitter, axis))


_Taps = Sequence[tuple[Value, Value]]
"""For each element of the output indices into the input, with weights."""


def _apart(emitter: Emitter, axis: Axis, position: Value, dtype: ir.DataType) -> tuple[Value, Value]:
    """The element that begins the interval of ``position``, and how far into the interval it lies."""
    first = emitter.Min(emitter.cast(emitter.Floor(position), ir.DataType.INT64), _last(emitter, axis))
    share = emitter.Min(emitter.Sub(position, emitter.cast(first, dtype)), emitter.constant(1, dtype))
    return first, share


def _linear_taps(emitter: Emitter, axis: Axis, position: Value, dtype: ir.DataType) -> _Taps:
    first, share = _apart(emitter, axis, position, dtype)
    second = emitter.Min(emitter.Add(first, 1), _last(emitter, axis))
    return [(first, emitter.Sub(1.0, share)), (second, share)]


def _cubic_taps(emitter: Emitter, axis: Axis, position: Value, dtype: ir.DataType) -> _Taps:
    first, share = _apart(emitter, axis, position, dtype)
    rest = emitter.Sub(1.0, share)
    weights = [
        _outer(emitter, emitter.Add(share, 1.0)),
        _inner(emitter, share),
        _inner(emitter, rest),
        _outer(emitter, emitter.Add(rest, 1.0)),
    ]
    places = [
        emitter.Max(emitter.Min(emitter.Add(first, shift), _last(emitter, axis)), 0)
        for shift in (-1, 0, 1, 2)
    ]
    return list(zip(places, weights, strict=True))


def _inner(emitter: Emitter, distance: Value) -> Value:
    """The kernel of cubic convolution up to a distance of 1."""
    slope = emitter.Sub(emitter.Mul(distance, _CUBIC + 2), _CUBIC + 3)
    return emitter.Add(emitter.Mul(emitter.Mul(slope, distance), distance), 1.0)


def _outer(emitter: Emitter, distance: Value) -> Value:
    """The kernel of cubic convolution from a distance of 1 to 2."""
    inner = emitter.Add(
        emitter.Mul(emitter.Sub(emitter.Mul(distance, _CUBIC), 5 * _CUBIC), distance), 8 * _CUBIC
    )
    return emitter.Sub(emitter.Mul(inner, distance), 4 * _CUBIC)


def _blend(emitter: Emitter, value: Value, axis: Axis, taps: _Taps) -> Value:
    trailing = list(range(1, rank_of(emitter, value) - axis.place))
    total: Value | None = None
    for places, weights in taps:
        column = emitter.Unsqueeze(weights, trailing) if trailing else weights
        part = emitter.Mul(emitter.Gather(value, places, axis=axis.place), column)
        total = part if total is None else emitter.Add(total, part)
    if total is None:
        raise ValueError("resampling reads at least one element")
    return total
