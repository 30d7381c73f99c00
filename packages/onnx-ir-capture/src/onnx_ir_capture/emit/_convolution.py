"""Convolutions, forward and transposed, with a batch and without."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._shapes import dimension, rank_of
from onnx_ir_capture.emit._windows import per_axis, with_batch

__all__ = ["convolution_of", "convolution_transposed", "convolved", "named_padding"]


def convolution_of(
    emitter: Emitter,
    input: Value,
    weight: Value,
    bias: Value | None,
    stride: Sequence[SymInt],
    padding: Sequence[SymInt],
    dilation: Sequence[SymInt],
    transposed: bool,
    output_padding: Sequence[SymInt],
    groups: SymInt,
) -> Value:
    """A convolution in any number of axes, forward or ``transposed``."""
    if transposed:
        return convolution_transposed(
            emitter, input, weight, bias, stride, padding, output_padding, groups, dilation
        )
    axes = rank_of(emitter, weight) - 2
    before = per_axis(emitter, padding, axes, "padding")
    return convolved(emitter, input, weight, bias, stride, [*before, *before], dilation, groups)


def named_padding(emitter: Emitter, weight: Value, padding: str, dilation: Sequence[SymInt]) -> list[int]:
    """Zeros before each axis, then after each; an odd number of them for "same" has one more after."""
    axes = rank_of(emitter, weight) - 2
    if padding == "valid":
        return [0] * (2 * axes)
    sizes = per_axis(
        emitter, [dimension(emitter, weight, axis + 2) for axis in range(axes)], axes, "kernel size"
    )
    steps = per_axis(emitter, dilation, axes, "dilation")
    totals = [step * (size - 1) for step, size in zip(steps, sizes, strict=True)]
    return [*(total // 2 for total in totals), *(total - total // 2 for total in totals)]


def convolved(
    emitter: Emitter,
    input: Value,
    weight: Value,
    bias: Value | None,
    stride: Sequence[SymInt],
    pads: Sequence[int],
    dilation: Sequence[SymInt],
    groups: SymInt,
) -> Value:
    """A forward convolution; ``pads`` has the zeros before every axis, then those after."""
    axes = rank_of(emitter, weight) - 2
    (group,) = per_axis(emitter, [groups], 1, "number of groups")
    strides, dilations = (
        per_axis(emitter, stride, axes, "stride"),
        per_axis(emitter, dilation, axes, "dilation"),
    )

    def call(value: Value) -> Value:
        return emitter.Conv(value, weight, bias, strides=strides, pads=pads, dilations=dilations, group=group)

    return with_batch(emitter, input, axes, call)


def convolution_transposed(
    emitter: Emitter,
    input: Value,
    weight: Value,
    bias: Value | None,
    stride: Sequence[SymInt],
    padding: Sequence[SymInt],
    output_padding: Sequence[SymInt],
    groups: SymInt,
    dilation: Sequence[SymInt],
) -> Value:
    """A transposed convolution, which ``output_padding`` makes longer at the end."""
    axes = rank_of(emitter, weight) - 2
    (group,) = per_axis(emitter, [groups], 1, "number of groups")
    strides, dilations = (
        per_axis(emitter, stride, axes, "stride"),
        per_axis(emitter, dilation, axes, "dilation"),
    )
    before = per_axis(emitter, padding, axes, "padding")
    extra = per_axis(emitter, output_padding, axes, "output padding")
    # Output padding first takes back what the padding cuts off at the end; only what is left are new places.
    after = [max(cut - more, 0) for cut, more in zip(before, extra, strict=True)]
    added = [max(more - cut, 0) for cut, more in zip(before, extra, strict=True)]
    if any(more >= step for more, step in zip(added, strides, strict=True)):
        emitter.refuse(f"its output padding {extra} reaches a whole stride beyond its padding {before}")

    def call(value: Value) -> Value:
        return emitter.ConvTranspose(
            value,
            weight,
            bias,
            strides=strides,
            pads=[*before, *after],
            output_padding=added,
            dilations=dilations,
            group=group,
        )

    return with_batch(emitter, input, axes, call)
