"""Elements turned round, rolled along axes, or shuffled between channels and pixels."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import dimension, is_floating, normalize_axis, rank_of, size_vector, transposed
from onnx_torchlib import Op, translator
from onnx_torchlib.ops.permute import transpose

__all__ = [
    "channel_shuffle",
    "flip",
    "fliplr",
    "flipud",
    "pixel_shuffle",
    "pixel_unshuffle",
    "roll",
    "rot90",
]

_FRONT = -(2**63)
_END = 2**63 - 1


@translator("aten::flip")
def flip(op: Op, self: Value, dims: Sequence[int]) -> Value:
    """flip(Tensor self, int[] dims) -> Tensor"""
    count = len(dims)
    if count == 0 or rank_of(op, self) == 0:
        return self
    return op.Slice(self, [-1] * count, [_FRONT] * count, list(dims), [-1] * count)


@translator("aten::fliplr")
def fliplr(op: Op, self: Value) -> Value:
    """fliplr(Tensor self) -> Tensor"""
    return flip(op, self, [1])


@translator("aten::flipud")
def flipud(op: Op, self: Value) -> Value:
    """flipud(Tensor self) -> Tensor"""
    return flip(op, self, [0])


@translator("aten::rot90")
def rot90(op: Op, self: Value, k: int = 1, dims: Sequence[int] = (0, 1)) -> Value:
    """rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor"""
    turns = k % 4
    if turns == 0:
        return self
    if turns == 2:
        return flip(op, self, dims)
    return transpose(op, flip(op, self, [dims[1] if turns == 1 else dims[0]]), dims[0], dims[1])


@translator("aten::roll")
def roll(op: Op, self: Value, shifts: Sequence[SymInt], dims: Sequence[int] = ()) -> Value:
    """roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor"""
    if rank_of(op, self) == 0:
        return self
    if not dims:
        return op.Reshape(_rolled(op, op.Reshape(self, [-1]), shifts[0], 0), op.Shape(self), allowzero=1)
    value = self
    for shift, dim in zip(shifts, dims, strict=True):
        value = _rolled(op, value, shift, normalize_axis(dim, rank_of(op, self)))
    return value


def _rolled(op: Op, value: Value, shift: SymInt, axis: int) -> Value:
    """What stood from ``cut`` on, then what stood before it."""
    size = dimension(op, value, axis)
    if isinstance(size, int) and isinstance(shift, int):
        place = -shift % max(size, 1)
        if place == 0:
            return value
        cut = op.constant([place])
    else:
        # ONNX's Mod has the sign of the divisor here, as Python's.
        negated = op.constant(-shift) if isinstance(shift, int) else op.Neg(shift)
        cut = op.Reshape(op.Mod(negated, _at_least_one(op, size)), [1])
    return op.Concat(op.Slice(value, cut, [_END], [axis]), op.Slice(value, [0], cut, [axis]), axis=axis)


def _at_least_one(op: Op, size: SymInt) -> SymInt:
    """A divisor even where the axis is empty and nothing rolls."""
    return max(size, 1) if isinstance(size, int) else op.Max(size, 1)


@translator("aten::pixel_shuffle")
def pixel_shuffle(op: Op, self: Value, upscale_factor: int) -> Value:
    """pixel_shuffle(Tensor self, int upscale_factor) -> Tensor"""
    rank = rank_of(op, self)
    images = _as_images(op, self)
    if is_floating(self):
        return _of_batch(op, self, op.DepthToSpace(images, blocksize=upscale_factor, mode="CRD"), rank)
    # ONNX Runtime has no DepthToSpace of integers.
    factor = upscale_factor
    channels, rows, columns = (dimension(op, images, axis) for axis in (1, 2, 3))
    deep = _part(op, channels, factor**2)
    apart = op.Concat(op.Shape(images, end=1), size_vector(op, [deep, factor, factor, rows, columns]), axis=0)
    blocks = op.Transpose(op.Reshape(images, apart, allowzero=1), perm=[0, 1, 4, 2, 5, 3])
    wide = size_vector(op, [deep, _times(op, rows, factor), _times(op, columns, factor)])
    merged = op.Reshape(blocks, op.Concat(op.Shape(images, end=1), wide, axis=0), allowzero=1)
    return _of_batch(op, self, merged, rank)


def _as_images(op: Op, value: Value) -> Value:
    """``value`` with one batch axis in place of those before channels, rows and columns."""
    rank = rank_of(op, value)
    if rank == 4:
        return value
    if rank == 3:
        return op.Unsqueeze(value, [0])
    if 0 in tuple(value.shape or ()):
        op.refuse("a batch of several axes without elements is not translated")
    return op.Reshape(value, op.Concat([-1], op.Shape(value, start=-3), axis=0))


def _of_batch(op: Op, value: Value, images: Value, rank: int) -> Value:
    """``images`` with the axes before channels, rows and columns that ``value`` has."""
    if rank == 4:
        return images
    if rank == 3:
        return op.Squeeze(images, [0])
    return op.Reshape(images, op.Concat(op.Shape(value, end=-3), op.Shape(images, start=1), axis=0))


@translator("aten::pixel_unshuffle")
def pixel_unshuffle(op: Op, self: Value, downscale_factor: int) -> Value:
    """pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor"""
    factor = downscale_factor
    images = _as_images(op, self)
    channels, rows, columns = (dimension(op, images, axis) for axis in (1, 2, 3))
    apart: list[SymInt] = [channels, _part(op, rows, factor), factor, _part(op, columns, factor), factor]
    sizes = op.Concat(op.Shape(images, end=1), size_vector(op, apart), axis=0)
    # SpaceToDepth counts the channels innermost, torch outermost.
    blocks = op.Transpose(op.Reshape(images, sizes, allowzero=1), perm=[0, 1, 3, 5, 2, 4])
    joined = size_vector(op, [_times(op, channels, factor**2), apart[1], apart[3]])
    merged = op.Reshape(blocks, op.Concat(op.Shape(images, end=1), joined, axis=0), allowzero=1)
    return _of_batch(op, self, merged, rank_of(op, self))


def _part(op: Op, size: SymInt, factor: int) -> SymInt:
    return size // factor if isinstance(size, int) else op.Div(size, factor)


def _times(op: Op, size: SymInt, factor: int) -> SymInt:
    return size * factor if isinstance(size, int) else op.Mul(size, factor)


@translator("aten::channel_shuffle", "aten::native_channel_shuffle")
def channel_shuffle(op: Op, self: Value, groups: SymInt) -> Value:
    """channel_shuffle(Tensor self, SymInt groups) -> Tensor"""
    rank = rank_of(op, self)
    channels = dimension(op, self, 1)
    if isinstance(channels, int) and isinstance(groups, int):
        each: SymInt = channels // groups
    else:
        each = op.Div(channels, groups)
    split = op.Concat(op.Shape(self, end=1), size_vector(op, [groups, each]), op.Shape(self, start=2), axis=0)
    shuffled = transposed(op, op.Reshape(self, split, allowzero=1), [0, 2, 1, *range(3, rank + 1)])
    return op.Reshape(shuffled, op.Shape(self), allowzero=1)
