"""Elements turned round, rolled along axes, or shuffled between channels and pixels."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import channels_of_pixels, channels_shuffled, flipped, pixels_of_channels, rolled
from onnx_symbolics import SymbolicContext, symbolic
from onnx_symbolics.ops.permute import transpose

__all__ = ["channel_shuffle", "flip", "fliplr", "flipud", "pixel_shuffle", "pixel_unshuffle", "roll", "rot90"]


@symbolic("aten::flip")
def flip(g: SymbolicContext, self: Value, dims: Sequence[int]) -> Value:
    """flip(Tensor self, int[] dims) -> Tensor"""
    return flipped(g, self, dims)


@symbolic("aten::fliplr")
def fliplr(g: SymbolicContext, self: Value) -> Value:
    """fliplr(Tensor self) -> Tensor"""
    return flip(g, self, [1])


@symbolic("aten::flipud")
def flipud(g: SymbolicContext, self: Value) -> Value:
    """flipud(Tensor self) -> Tensor"""
    return flip(g, self, [0])


@symbolic("aten::rot90")
def rot90(g: SymbolicContext, self: Value, k: int = 1, dims: Sequence[int] = (0, 1)) -> Value:
    """rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor"""
    turns = k % 4
    if turns == 0:
        return self
    if turns == 2:
        return flip(g, self, dims)
    return transpose(g, flip(g, self, [dims[1] if turns == 1 else dims[0]]), dims[0], dims[1])


@symbolic("aten::roll")
def roll(g: SymbolicContext, self: Value, shifts: Sequence[SymInt], dims: Sequence[int] = ()) -> Value:
    """roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor"""
    return rolled(g, self, shifts, dims)


@symbolic("aten::pixel_shuffle", since=11)
def pixel_shuffle(g: SymbolicContext, self: Value, upscale_factor: int) -> Value:
    """pixel_shuffle(Tensor self, int upscale_factor) -> Tensor"""
    return pixels_of_channels(g, self, upscale_factor)


@symbolic("aten::pixel_unshuffle")
def pixel_unshuffle(g: SymbolicContext, self: Value, downscale_factor: int) -> Value:
    """pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor"""
    return channels_of_pixels(g, self, downscale_factor)


@symbolic("aten::channel_shuffle", "aten::native_channel_shuffle")
def channel_shuffle(g: SymbolicContext, self: Value, groups: SymInt) -> Value:
    """channel_shuffle(Tensor self, SymInt groups) -> Tensor"""
    return channels_shuffled(g, self, groups)
