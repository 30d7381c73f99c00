"""Convolutions."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import dimension, rank_of
from onnx_torchlib import Op, translator
from onnx_torchlib._windows import per_axis, with_batch

__all__ = [
    "conv1d",
    "conv1d_padding",
    "conv2d",
    "conv2d_padding",
    "conv3d",
    "conv3d_padding",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "convolution",
]


@translator("aten::convolution")
def convolution(
    op: Op,
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
    """convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups) -> Tensor"""
    if transposed:
        return _transposed(op, input, weight, bias, stride, padding, output_padding, groups, dilation)
    axes = rank_of(op, weight) - 2
    before = per_axis(op, padding, axes, "padding")
    return _convolved(op, input, weight, bias, stride, [*before, *before], dilation, groups)


@translator("aten::conv1d")
def conv1d(
    op: Op,
    input: Value,
    weight: Value,
    bias: Value | None = None,
    stride: Sequence[SymInt] = (1,),
    padding: Sequence[SymInt] = (0,),
    dilation: Sequence[SymInt] = (1,),
    groups: SymInt = 1,
) -> Value:
    """conv1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=1, SymInt[1] padding=0, SymInt[1] dilation=1, SymInt groups=1) -> Tensor"""
    return convolution(op, input, weight, bias, stride, padding, dilation, False, (0,), groups)


@translator("aten::conv2d")
def conv2d(
    op: Op,
    input: Value,
    weight: Value,
    bias: Value | None = None,
    stride: Sequence[SymInt] = (1, 1),
    padding: Sequence[SymInt] = (0, 0),
    dilation: Sequence[SymInt] = (1, 1),
    groups: SymInt = 1,
) -> Value:
    """conv2d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=1, SymInt[2] padding=0, SymInt[2] dilation=1, SymInt groups=1) -> Tensor"""
    return convolution(op, input, weight, bias, stride, padding, dilation, False, (0,), groups)


@translator("aten::conv3d")
def conv3d(
    op: Op,
    input: Value,
    weight: Value,
    bias: Value | None = None,
    stride: Sequence[SymInt] = (1, 1, 1),
    padding: Sequence[SymInt] = (0, 0, 0),
    dilation: Sequence[SymInt] = (1, 1, 1),
    groups: SymInt = 1,
) -> Value:
    """conv3d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=1, SymInt[3] padding=0, SymInt[3] dilation=1, SymInt groups=1) -> Tensor"""
    return convolution(op, input, weight, bias, stride, padding, dilation, False, (0,), groups)


@translator("aten::conv1d.padding")
def conv1d_padding(
    op: Op,
    input: Value,
    weight: Value,
    bias: Value | None = None,
    stride: Sequence[SymInt] = (1,),
    padding: str = "valid",
    dilation: Sequence[SymInt] = (1,),
    groups: SymInt = 1,
) -> Value:
    """conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=1, str padding="valid", SymInt[1] dilation=1, SymInt groups=1) -> Tensor"""
    pads = _named_padding(op, weight, padding, dilation)
    return _convolved(op, input, weight, bias, stride, pads, dilation, groups)


@translator("aten::conv2d.padding")
def conv2d_padding(
    op: Op,
    input: Value,
    weight: Value,
    bias: Value | None = None,
    stride: Sequence[SymInt] = (1, 1),
    padding: str = "valid",
    dilation: Sequence[SymInt] = (1, 1),
    groups: SymInt = 1,
) -> Value:
    """conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=1, str padding="valid", SymInt[2] dilation=1, SymInt groups=1) -> Tensor"""
    pads = _named_padding(op, weight, padding, dilation)
    return _convolved(op, input, weight, bias, stride, pads, dilation, groups)


@translator("aten::conv3d.padding")
def conv3d_padding(
    op: Op,
    input: Value,
    weight: Value,
    bias: Value | None = None,
    stride: Sequence[SymInt] = (1, 1, 1),
    padding: str = "valid",
    dilation: Sequence[SymInt] = (1, 1, 1),
    groups: SymInt = 1,
) -> Value:
    """conv3d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=1, str padding="valid", SymInt[3] dilation=1, SymInt groups=1) -> Tensor"""
    pads = _named_padding(op, weight, padding, dilation)
    return _convolved(op, input, weight, bias, stride, pads, dilation, groups)


@translator("aten::conv_transpose1d")
def conv_transpose1d(
    op: Op,
    input: Value,
    weight: Value,
    bias: Value | None = None,
    stride: Sequence[SymInt] = (1,),
    padding: Sequence[SymInt] = (0,),
    output_padding: Sequence[SymInt] = (0,),
    groups: SymInt = 1,
    dilation: Sequence[SymInt] = (1,),
) -> Value:
    """conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=1, SymInt[1] padding=0, SymInt[1] output_padding=0, SymInt groups=1, SymInt[1] dilation=1) -> Tensor"""
    return _transposed(op, input, weight, bias, stride, padding, output_padding, groups, dilation)


@translator("aten::conv_transpose2d.input")
def conv_transpose2d(
    op: Op,
    input: Value,
    weight: Value,
    bias: Value | None = None,
    stride: Sequence[SymInt] = (1, 1),
    padding: Sequence[SymInt] = (0, 0),
    output_padding: Sequence[SymInt] = (0, 0),
    groups: SymInt = 1,
    dilation: Sequence[SymInt] = (1, 1),
) -> Value:
    """conv_transpose2d.input(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=1, SymInt[2] padding=0, SymInt[2] output_padding=0, SymInt groups=1, SymInt[2] dilation=1) -> Tensor"""
    return _transposed(op, input, weight, bias, stride, padding, output_padding, groups, dilation)


@translator("aten::conv_transpose3d.input")
def conv_transpose3d(
    op: Op,
    input: Value,
    weight: Value,
    bias: Value | None = None,
    stride: Sequence[SymInt] = (1, 1, 1),
    padding: Sequence[SymInt] = (0, 0, 0),
    output_padding: Sequence[SymInt] = (0, 0, 0),
    groups: SymInt = 1,
    dilation: Sequence[SymInt] = (1, 1, 1),
) -> Value:
    """conv_transpose3d.input(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=1, SymInt[3] padding=0, SymInt[3] output_padding=0, SymInt groups=1, SymInt[3] dilation=1) -> Tensor"""
    return _transposed(op, input, weight, bias, stride, padding, output_padding, groups, dilation)


def _named_padding(op: Op, weight: Value, padding: str, dilation: Sequence[SymInt]) -> list[int]:
    """Zeros before each axis, then after each; an odd number of them for "same" has one more after."""
    axes = rank_of(op, weight) - 2
    if padding == "valid":
        return [0] * (2 * axes)
    sizes = per_axis(op, [dimension(op, weight, axis + 2) for axis in range(axes)], axes, "kernel size")
    steps = per_axis(op, dilation, axes, "dilation")
    totals = [step * (size - 1) for step, size in zip(steps, sizes, strict=True)]
    return [*(total // 2 for total in totals), *(total - total // 2 for total in totals)]


def _convolved(
    op: Op,
    input: Value,
    weight: Value,
    bias: Value | None,
    stride: Sequence[SymInt],
    pads: Sequence[int],
    dilation: Sequence[SymInt],
    groups: SymInt,
) -> Value:
    axes = rank_of(op, weight) - 2
    (group,) = per_axis(op, [groups], 1, "number of groups")
    strides, dilations = per_axis(op, stride, axes, "stride"), per_axis(op, dilation, axes, "dilation")

    def call(value: Value) -> Value:
        return op.Conv(value, weight, bias, strides=strides, pads=pads, dilations=dilations, group=group)

    return with_batch(op, input, axes, call)


def _transposed(
    op: Op,
    input: Value,
    weight: Value,
    bias: Value | None,
    stride: Sequence[SymInt],
    padding: Sequence[SymInt],
    output_padding: Sequence[SymInt],
    groups: SymInt,
    dilation: Sequence[SymInt],
) -> Value:
    axes = rank_of(op, weight) - 2
    (group,) = per_axis(op, [groups], 1, "number of groups")
    strides, dilations = per_axis(op, stride, axes, "stride"), per_axis(op, dilation, axes, "dilation")
    before = per_axis(op, padding, axes, "padding")
    extra = per_axis(op, output_padding, axes, "output padding")
    # Output padding first takes back what the padding cuts off at the end; only what is left are new places.
    after = [max(cut - more, 0) for cut, more in zip(before, extra, strict=True)]
    added = [max(more - cut, 0) for cut, more in zip(before, extra, strict=True)]
    if any(more >= step for more, step in zip(added, strides, strict=True)):
        op.refuse(f"its output padding {extra} reaches a whole stride beyond its padding {before}")

    def call(value: Value) -> Value:
        return op.ConvTranspose(
            value,
            weight,
            bias,
            strides=strides,
            pads=[*before, *after],
            output_padding=added,
            dilations=dilations,
            group=group,
        )

    return with_batch(op, input, axes, call)
