"""torch's interpolation as ONNX's Resize, or written out where the two differ."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import onnx_ir as ir

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import schemas
from onnx_ir_capture.emit._dtypes import dtype_of, is_floating
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._promotion import promote
from onnx_ir_capture.emit._resample import Axis, reads_what_resize_reads, resampled
from onnx_ir_capture.emit._shapes import dimension, rank_of, size_vector

__all__ = ["Scales", "resized", "smoothed", "targets"]

Scales: TypeAlias = Sequence[float | None]
"""The scale of each axis, where scales were asked for."""

# torch's coefficient of cubic convolution with antialiasing; without, it is ONNX's default.
_SMOOTH_CUBIC = -0.5


def targets(
    emitter: Emitter, value: Value, output_size: Sequence[SymInt] | None, factors: Sequence[float] | None
) -> tuple[Sequence[SymInt], Scales]:
    """The sizes after resampling, and the scale of each axis where scales were asked for."""
    if factors is None:
        sizes = output_size or []
        return sizes, [None] * len(sizes)
    first = rank_of(emitter, value) - len(factors)
    return [
        _scaled(emitter, dimension(emitter, value, first + i), factor) for i, factor in enumerate(factors)
    ], factors


def _scaled(emitter: Emitter, size: SymInt, factor: float) -> SymInt:
    if isinstance(size, int):
        return int(size * factor)
    if float(factor).is_integer():
        return emitter.Mul(size, int(factor))
    return emitter.cast(
        emitter.Floor(
            emitter.Mul(emitter.cast(size, ir.DataType.DOUBLE), emitter.constant(factor, ir.DataType.DOUBLE))
        ),
        ir.DataType.INT64,
    )


def _axes(
    emitter: Emitter, value: Value, sizes: Sequence[SymInt], scales: Scales, mode: str, align_corners: bool
) -> list[Axis]:
    """The axes to resample, without those that stay as they are.

    Linear interpolation leaves an axis that keeps its size alone, whatever its scale.
    """
    first = rank_of(emitter, value) - len(sizes)
    axes = []
    for place, (wanted, scale) in enumerate(zip(sizes, scales, strict=True), start=first):
        size = dimension(emitter, value, place)
        # Between corners that meet, or from sizes alone, positions follow from the sizes.
        counted = None if align_corners or scale is None or scale <= 0 else scale
        same = isinstance(size, int) and isinstance(wanted, int) and size == wanted
        if not (same and (mode == "linear" or counted in (None, 1.0))):
            axes.append(Axis(place, size, wanted, counted))
    return axes


def resized(
    emitter: Emitter,
    value: Value,
    sizes: Sequence[SymInt],
    scales: Scales,
    mode: str,
    align_corners: bool = False,
) -> Value:
    """``value`` in ``sizes``; mode is nearest, nearest_exact, linear or cubic."""
    nearest = mode.startswith("nearest")
    if not nearest:
        _check_floating(emitter, value)
    axes = _axes(emitter, value, sizes, scales, mode, align_corners)
    if mode == "nearest" and len(sizes) == 2:
        axes = _of_image(emitter, axes, sizes)
    if not axes:
        return value
    if dtype_of(emitter, value) == ir.DataType.DOUBLE or not _takes_axes(emitter):
        # ONNX Runtime has no Resize of doubles. Before 18 Resize scaled every axis of a tensor.
        return resampled(emitter, value, axes, mode, align_corners)
    if nearest and not all(reads_what_resize_reads(axis, mode == "nearest_exact") for axis in axes):
        return resampled(emitter, value, axes, mode, align_corners)
    if _says_scales(axes) or all(axis.scale is None for axis in axes):
        return _resize(emitter, value, axes, mode, align_corners)
    return resampled(emitter, value, axes, mode, align_corners)


def _takes_axes(emitter: Emitter) -> bool:
    """Whether the target's Resize can be told which axes to resample."""
    return emitter.has("Resize") and "axes" in schemas.form("Resize", emitter.opset).attributes


# Up to this many rows and columns together, torch's kernel for nearest neighbours in images is another.
_SMALL_IMAGE = 128


def _of_image(emitter: Emitter, axes: Sequence[Axis], sizes: Sequence[SymInt]) -> list[Axis]:
    """The axes of an image: in a small one torch goes by a size that stays or doubles, not by the scale."""
    rows, columns = sizes
    if isinstance(rows, int) and isinstance(columns, int):
        if rows + columns > _SMALL_IMAGE:
            return list(axes)
        settled = [_by_sizes(axis) for axis in axes]
        return [axis for axis in settled if axis.scale is not None or axis.size != axis.wanted]
    if not any(_may_stay_or_double(axis) for axis in axes):
        return list(axes)
    small = emitter.LessOrEqual(emitter.Add(*promote(emitter, rows, columns)), _SMALL_IMAGE)
    return [dataclasses.replace(axis, by_sizes=small) if _may_stay_or_double(axis) else axis for axis in axes]


def _by_sizes(axis: Axis) -> Axis:
    whole = isinstance(axis.size, int) and axis.wanted in (axis.size, 2 * axis.size)
    return dataclasses.replace(axis, scale=None) if whole and _may_stay_or_double(axis) else axis


def _may_stay_or_double(axis: Axis) -> bool:
    """Whether a scale other than 1 and 2 may come to the size, or twice the size, of several elements."""
    return axis.scale is not None and (1 < axis.scale < 1.5 or 2 < axis.scale < 2.5)


def _says_scales(axes: Sequence[Axis]) -> bool:
    """Whether Resize, told these scales as float32, comes to the sizes that torch comes to."""
    return all(axis.scale is not None and _same_size(axis, axis.scale) for axis in axes)


def _same_size(axis: Axis, scale: float) -> bool:
    single = np.float32(scale)
    if isinstance(axis.size, int) and isinstance(axis.wanted, int):
        # ONNX Runtime multiplies in float32, onnx in double. ONNX Runtime takes a Resize that changes no size
        # for a copy, whatever its scales are.
        told = {int(np.float32(axis.size) * single), int(axis.size * float(single))}
        return told == {axis.wanted} and axis.wanted != axis.size
    # From 1.5 on, only an axis of one element keeps its size.
    return float(single) == scale and not 1 < scale < 1.5


_NEAREST = {"nearest": ("asymmetric", "floor"), "nearest_exact": ("half_pixel", "round_prefer_ceil")}


def _resize(emitter: Emitter, value: Value, axes: Sequence[Axis], mode: str, align_corners: bool) -> Value:
    places = [axis.place for axis in axes]
    scales, sizes = _extent(emitter, axes)
    if mode in _NEAREST:
        coordinates, rounding = _NEAREST[mode]
        return emitter.Resize(
            value,
            None,
            scales,
            sizes,
            axes=places,
            mode="nearest",
            coordinate_transformation_mode=coordinates,
            nearest_mode=rounding,
        )
    coordinates = "align_corners" if align_corners else "half_pixel"
    return emitter.Resize(
        value, None, scales, sizes, axes=places, mode=mode, coordinate_transformation_mode=coordinates
    )


def _extent(emitter: Emitter, axes: Sequence[Axis]) -> tuple[list[float] | None, Value | None]:
    """Resize's scales, or its sizes where none were asked for."""
    scales = [axis.scale for axis in axes if axis.scale is not None]
    return (scales, None) if scales else (None, size_vector(emitter, [axis.wanted for axis in axes]))


def smoothed(
    emitter: Emitter, value: Value, sizes: Sequence[SymInt], scales: Scales, mode: str, align_corners: bool
) -> Value:
    """``value`` in ``sizes``, each element an average of what it covers; mode is linear or cubic."""
    _check_floating(emitter, value)
    axes = _axes(emitter, value, sizes, scales, mode, align_corners)
    if not axes:
        return value
    if align_corners:
        emitter.refuse("ONNX does not define antialiasing between corners that meet: leave align_corners out")
    if any(axis.scale is not None for axis in axes) and not _says_scales(axes):
        emitter.refuse(
            "ONNX rounds the scale, and may come to another size: give the size instead of the scale"
        )
    told_scales, told_sizes = _extent(emitter, axes)
    return emitter.Resize(
        value,
        None,
        told_scales,
        told_sizes,
        axes=[axis.place for axis in axes],
        mode=mode,
        cubic_coeff_a=_SMOOTH_CUBIC,
        antialias=1,
        # torch's kernel ends at the border; ONNX's would read the border again and again.
        exclude_outside=1,
    )


def _check_floating(emitter: Emitter, value: Value) -> None:
    if not is_floating(value):
        emitter.refuse(
            "torch rounds what it interpolates between integers in its own way: cast to float before"
        )
