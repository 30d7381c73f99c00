"""Elements turned round, rolled along axes, or moved between channels and pixels."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit._dtypes import is_floating
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._shapes import dimension, normalize_axis, rank_of, size_vector
from onnx_ir_capture.emit._slicing import transposed

__all__ = ["channels_of_pixels", "channels_shuffled", "flipped", "pixels_of_channels", "rolled"]

_FRONT = -(2**63)

_END = 2**63 - 1


def flipped(emitter: Emitter, value: Value, dims: Sequence[int]) -> Value:
    """``value`` with the members of ``dims`` in the opposite order."""
    count = len(dims)
    if count == 0 or rank_of(emitter, value) == 0:
        return value
    return emitter.Slice(value, [-1] * count, [_FRONT] * count, list(dims), [-1] * count)


def rolled(emitter: Emitter, data: Value, shifts: Sequence[SymInt], dims: Sequence[int]) -> Value:
    """``data`` with its members moved along axes, and those that leave it put in again at the other end."""
    if rank_of(emitter, data) == 0:
        return data
    if not dims:
        return emitter.Reshape(
            _rolled(emitter, emitter.Reshape(data, [-1]), shifts[0], 0), emitter.Shape(data), allowzero=1
        )
    value = data
    for shift, dim in zip(shifts, dims, strict=True):
        value = _rolled(emitter, value, shift, normalize_axis(dim, rank_of(emitter, data)))
    return value


def _rolled(emitter: Emitter, value: Value, shift: SymInt, axis: int) -> Value:
    """What stood from ``cut`` on, then what stood before it."""
    size = dimension(emitter, value, axis)
    if isinstance(size, int) and isinstance(shift, int):
        place = -shift % max(size, 1)
        if place == 0:
            return value
        cut = emitter.constant([place])
    else:
        # ONNX's Mod has the sign of the divisor here, as Python's.
        negated = emitter.constant(-shift) if isinstance(shift, int) else emitter.Neg(shift)
        cut = emitter.Reshape(emitter.Mod(negated, _at_least_one(emitter, size)), [1])
    return emitter.Concat(
        emitter.Slice(value, cut, [_END], [axis]), emitter.Slice(value, [0], cut, [axis]), axis=axis
    )


def _at_least_one(emitter: Emitter, size: SymInt) -> SymInt:
    """A divisor even where the axis is empty and nothing rolls."""
    return max(size, 1) if isinstance(size, int) else emitter.Max(size, 1)


def pixels_of_channels(emitter: Emitter, value: Value, upscale_factor: int) -> Value:
    """Images whose channels have become blocks of pixels."""
    rank = rank_of(emitter, value)
    images = _as_images(emitter, value)
    if is_floating(value):
        return _of_batch(
            emitter, value, emitter.DepthToSpace(images, blocksize=upscale_factor, mode="CRD"), rank
        )
    # ONNX Runtime has no DepthToSpace of integers.
    factor = upscale_factor
    channels, rows, columns = (dimension(emitter, images, axis) for axis in (1, 2, 3))
    deep = _part(emitter, channels, factor**2)
    apart = emitter.Concat(
        emitter.Shape(images, end=1), size_vector(emitter, [deep, factor, factor, rows, columns]), axis=0
    )
    blocks = emitter.Transpose(emitter.Reshape(images, apart, allowzero=1), perm=[0, 1, 4, 2, 5, 3])
    wide = size_vector(emitter, [deep, _times(emitter, rows, factor), _times(emitter, columns, factor)])
    merged = emitter.Reshape(blocks, emitter.Concat(emitter.Shape(images, end=1), wide, axis=0), allowzero=1)
    return _of_batch(emitter, value, merged, rank)


def _as_images(emitter: Emitter, value: Value) -> Value:
    """``value`` with one batch axis in place of those before channels, rows and columns."""
    rank = rank_of(emitter, value)
    if rank == 4:
        return value
    if rank == 3:
        return emitter.Unsqueeze(value, [0])
    if 0 in tuple(value.shape or ()):
        emitter.refuse("a batch of several axes without elements is not translated")
    return emitter.Reshape(value, emitter.Concat([-1], emitter.Shape(value, start=-3), axis=0))


def _of_batch(emitter: Emitter, value: Value, images: Value, rank: int) -> Value:
    """``images`` with the axes before channels, rows and columns that ``value`` has."""
    if rank == 4:
        return images
    if rank == 3:
        return emitter.Squeeze(images, [0])
    return emitter.Reshape(
        images, emitter.Concat(emitter.Shape(value, end=-3), emitter.Shape(images, start=1), axis=0)
    )


def channels_of_pixels(emitter: Emitter, value: Value, downscale_factor: int) -> Value:
    """Images whose blocks of pixels have become channels."""
    factor = downscale_factor
    images = _as_images(emitter, value)
    channels, rows, columns = (dimension(emitter, images, axis) for axis in (1, 2, 3))
    apart: list[SymInt] = [
        channels,
        _part(emitter, rows, factor),
        factor,
        _part(emitter, columns, factor),
        factor,
    ]
    sizes = emitter.Concat(emitter.Shape(images, end=1), size_vector(emitter, apart), axis=0)
    # SpaceToDepth counts the channels innermost, torch outermost.
    blocks = emitter.Transpose(emitter.Reshape(images, sizes, allowzero=1), perm=[0, 1, 3, 5, 2, 4])
    joined = size_vector(emitter, [_times(emitter, channels, factor**2), apart[1], apart[3]])
    merged = emitter.Reshape(
        blocks, emitter.Concat(emitter.Shape(images, end=1), joined, axis=0), allowzero=1
    )
    return _of_batch(emitter, value, merged, rank_of(emitter, value))


def _part(emitter: Emitter, size: SymInt, factor: SymInt) -> SymInt:
    if isinstance(size, int) and isinstance(factor, int):
        return size // factor
    return emitter.Div(size, factor)


def _times(emitter: Emitter, size: SymInt, factor: int) -> SymInt:
    return size * factor if isinstance(size, int) else emitter.Mul(size, factor)


def channels_shuffled(emitter: Emitter, value: Value, groups: SymInt) -> Value:
    """``value`` with the channels of its groups taken by turns."""
    rank = rank_of(emitter, value)
    each = _part(emitter, dimension(emitter, value, 1), groups)
    split = emitter.Concat(
        emitter.Shape(value, end=1),
        size_vector(emitter, [groups, each]),
        emitter.Shape(value, start=2),
        axis=0,
    )
    shuffled = transposed(emitter, emitter.Reshape(value, split, allowzero=1), [0, 2, 1, *range(3, rank + 1)])
    return emitter.Reshape(shuffled, emitter.Shape(value), allowzero=1)
