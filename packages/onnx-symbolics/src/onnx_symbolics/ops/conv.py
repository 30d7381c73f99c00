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
from onnx_symbolics import SymbolicContext, symbolic

__all__ = [
    "conv1d",
    "conv1d_padding",
    "conv2d",
    "conv2d_padding",
    "conv3d",
    "conv3d_padding",
    "conv_tbc",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "convolution",
    "convolution_deprecated",
    "convolution_mode",
    "convolution_with_settings",
]


@symbolic("aten::convolution")
def convolution(
    g: SymbolicContext,
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
        g, input, weight, bias, stride, padding, dilation, transposed, output_padding, groups
    )


@symbolic("aten::_convolution")
def convolution_with_settings(
    g: SymbolicContext,
    input: Value,
    weight: Value,
    bias: Value | None,
    stride: Sequence[SymInt],
    padding: Sequence[SymInt],
    dilation: Sequence[SymInt],
    transposed: bool,
    output_padding: Sequence[SymInt],
    groups: SymInt,
    benchmark: bool,
    deterministic: bool,
    cudnn_enabled: bool,
    allow_tf32: bool,
) -> Value:
    """_convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool benchmark, bool deterministic, bool cudnn_enabled, bool allow_tf32) -> Tensor"""
    return convolution_of(
        g, input, weight, bias, stride, padding, dilation, transposed, output_padding, groups
    )


@symbolic("aten::_convolution.deprecated")
def convolution_deprecated(
    g: SymbolicContext,
    input: Value,
    weight: Value,
    bias: Value | None,
    stride: Sequence[SymInt],
    padding: Sequence[SymInt],
    dilation: Sequence[SymInt],
    transposed: bool,
    output_padding: Sequence[int],
    groups: SymInt,
    benchmark: bool,
    deterministic: bool,
    cudnn_enabled: bool,
) -> Value:
    """_convolution.deprecated(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, int[] output_padding, SymInt groups, bool benchmark, bool deterministic, bool cudnn_enabled) -> Tensor"""
    return convolution_of(
        g, input, weight, bias, stride, padding, dilation, transposed, output_padding, groups
    )


@symbolic("aten::_convolution_mode")
def convolution_mode(
    g: SymbolicContext,
    input: Value,
    weight: Value,
    bias: Value | None,
    stride: Sequence[SymInt],
    padding: str,
    dilation: Sequence[SymInt],
    groups: SymInt,
) -> Value:
    """_convolution_mode(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, str padding, SymInt[] dilation, SymInt groups) -> Tensor"""
    pads = named_padding(g, weight, padding, dilation)
    return convolved(g, input, weight, bias, stride, pads, dilation, groups)


@symbolic("aten::conv_tbc")
def conv_tbc(g: SymbolicContext, self: Value, weight: Value, bias: Value, pad: int = 0) -> Value:
    """conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor"""
    # Time, batch and channels, where Conv has batch, channels and time; the weight's axes are turned alike.
    turned = g.Transpose(self, perm=[1, 2, 0])
    kernel = g.Transpose(weight, perm=[2, 1, 0])
    return g.Transpose(g.Conv(turned, kernel, bias, pads=[pad, pad]), perm=[2, 0, 1])


@symbolic("aten::conv1d")
def conv1d(
    g: SymbolicContext,
    input: Value,
    weight: Value,
    bias: Value | None = None,
    stride: Sequence[SymInt] = (1,),
    padding: Sequence[SymInt] = (0,),
    dilation: Sequence[SymInt] = (1,),
    groups: SymInt = 1,
) -> Value:
    """conv1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=1, SymInt[1] padding=0, SymInt[1] dilation=1, SymInt groups=1) -> Tensor"""
    return convolution(g, input, weight, bias, stride, padding, dilation, False, (0,), groups)


@symbolic("aten::conv2d")
def conv2d(
    g: SymbolicContext,
    input: Value,
    weight: Value,
    bias: Value | None = None,
    stride: Sequence[SymInt] = (1, 1),
    padding: Sequence[SymInt] = (0, 0),
    dilation: Sequence[SymInt] = (1, 1),
    groups: SymInt = 1,
) -> Value:
    """conv2d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=1, SymInt[2] padding=0, SymInt[2] dilation=1, SymInt groups=1) -> Tensor"""
    return convolution(g, input, weight, bias, stride, padding, dilation, False, (0,), groups)


@symbolic("aten::conv3d")
def conv3d(
    g: SymbolicContext,
    input: Value,
    weight: Value,
    bias: Value | None = None,
    stride: Sequence[SymInt] = (1, 1, 1),
    padding: Sequence[SymInt] = (0, 0, 0),
    dilation: Sequence[SymInt] = (1, 1, 1),
    groups: SymInt = 1,
) -> Value:
    """conv3d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=1, SymInt[3] padding=0, SymInt[3] dilation=1, SymInt groups=1) -> Tensor"""
    return convolution(g, input, weight, bias, stride, padding, dilation, False, (0,), groups)


@symbolic("aten::conv1d.padding")
def conv1d_padding(
    g: SymbolicContext,
    input: Value,
    weight: Value,
    bias: Value | None = None,
    stride: Sequence[SymInt] = (1,),
    padding: str = "valid",
    dilation: Sequence[SymInt] = (1,),
    groups: SymInt = 1,
) -> Value:
    """conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=1, str padding="valid", SymInt[1] dilation=1, SymInt groups=1) -> Tensor"""
    pads = named_padding(g, weight, padding, dilation)
    return convolved(g, input, weight, bias, stride, pads, dilation, groups)


@symbolic("aten::conv2d.padding")
def conv2d_padding(
    g: SymbolicContext,
    input: Value,
    weight: Value,
    bias: Value | None = None,
    stride: Sequence[SymInt] = (1, 1),
    padding: str = "valid",
    dilation: Sequence[SymInt] = (1, 1),
    groups: SymInt = 1,
) -> Value:
    """conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=1, str padding="valid", SymInt[2] dilation=1, SymInt groups=1) -> Tensor"""
    pads = named_padding(g, weight, padding, dilation)
    return convolved(g, input, weight, bias, stride, pads, dilation, groups)


@symbolic("aten::conv3d.padding")
def conv3d_padding(
    g: SymbolicContext,
    input: Value,
    weight: Value,
    bias: Value | None = None,
    stride: Sequence[SymInt] = (1, 1, 1),
    padding: str = "valid",
    dilation: Sequence[SymInt] = (1, 1, 1),
    groups: SymInt = 1,
) -> Value:
    """conv3d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=1, str padding="valid", SymInt[3] dilation=1, SymInt groups=1) -> Tensor"""
    pads = named_padding(g, weight, padding, dilation)
    return convolved(g, input, weight, bias, stride, pads, dilation, groups)


@symbolic("aten::conv_transpose1d")
def conv_transpose1d(
    g: SymbolicContext,
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
    return convolution_transposed(g, input, weight, bias, stride, padding, output_padding, groups, dilation)


@symbolic("aten::conv_transpose2d.input")
def conv_transpose2d(
    g: SymbolicContext,
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
    return convolution_transposed(g, input, weight, bias, stride, padding, output_padding, groups, dilation)


@symbolic("aten::conv_transpose3d.input")
def conv_transpose3d(
    g: SymbolicContext,
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
    return convolution_transposed(g, input, weight, bias, stride, padding, output_padding, groups, dilation)
