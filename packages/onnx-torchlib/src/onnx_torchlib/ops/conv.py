"""Convolutions."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import (
    convolution_of,
    convolution_transposed,
    convolved,
    named_padding,
)
from onnx_torchlib import Op, translator

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
    return convolution_of(
        op, input, weight, bias, stride, padding, dilation, transposed, output_padding, groups
    )


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
    pads = named_padding(op, weight, padding, dilation)
    return convolved(op, input, weight, bias, stride, pads, dilation, groups)


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
    pads = named_padding(op, weight, padding, dilation)
    return convolved(op, input, weight, bias, stride, pads, dilation, groups)


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
    pads = named_padding(op, weight, padding, dilation)
    return convolved(op, input, weight, bias, stride, pads, dilation, groups)


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
    return convolution_transposed(op, input, weight, bias, stride, padding, output_padding, groups, dilation)


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
    return convolution_transposed(op, input, weight, bias, stride, padding, output_padding, groups, dilation)


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
    return convolution_transposed(op, input, weight, bias, stride, padding, output_padding, groups, dilation)
