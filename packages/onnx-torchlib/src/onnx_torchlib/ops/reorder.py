"""Elements turned round, rolled along axes, or shuffled between channels and pixels."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import channels_of_pixels, channels_shuffled, flipped, pixels_of_channels, rolled
from onnx_torchlib import Op, translator
from onnx_torchlib.ops.permute import transpose

__all__ = ["channel_shuffle", "flip", "fliplr", "flipud", "pixel_shuffle", "pixel_unshuffle", "roll", "rot90"]


@translator("aten::flip")
def flip(op: Op, self: Value, dims: Sequence[int]) -> Value:
    """flip(Tensor self, int[] dims) -> Tensor"""
    return flipped(op, self, dims)


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
    return rolled(op, self, shifts, dims)


@translator("aten::pixel_shuffle")
def pixel_shuffle(op: Op, self: Value, upscale_factor: int) -> Value:
    """pixel_shuffle(Tensor self, int upscale_factor) -> Tensor"""
    return pixels_of_channels(op, self, upscale_factor)


@translator("aten::pixel_unshuffle")
def pixel_unshuffle(op: Op, self: Value, downscale_factor: int) -> Value:
    """pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor"""
    return channels_of_pixels(op, self, downscale_factor)


@translator("aten::channel_shuffle", "aten::native_channel_shuffle")
def channel_shuffle(op: Op, self: Value, groups: SymInt) -> Value:
    """channel_shuffle(Tensor self, SymInt groups) -> Tensor"""
    return channels_shuffled(op, self, groups)
