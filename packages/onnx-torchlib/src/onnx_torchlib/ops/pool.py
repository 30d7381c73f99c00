"""Pooling."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import TypeAlias

import onnx_ir as ir

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import dimension, rank_of
from onnx_torchlib import Op, translator
from onnx_torchlib._windows import per_axis, with_batch

__all__ = [
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "max_pool1d",
    "max_pool1d_with_indices",
    "max_pool2d",
    "max_pool2d_with_indices",
    "max_pool3d",
    "max_pool3d_with_indices",
]

_Sizes: TypeAlias = Sequence[int]
"""One number for each axis that a window slides along, or one for all."""


@translator("aten::max_pool1d")
def max_pool1d(
    op: Op,
    self: Value,
    kernel_size: _Sizes,
    stride: _Sizes = (),
    padding: _Sizes = (0,),
    dilation: _Sizes = (1,),
    ceil_mode: bool = False,
) -> Value:
    """max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, int[1] dilation=1, bool ceil_mode=False) -> Tensor"""
    return _max_pool(op, self, 1, kernel_size, stride, padding, dilation, ceil_mode)


@translator("aten::max_pool2d")
def max_pool2d(
    op: Op,
    self: Value,
    kernel_size: _Sizes,
    stride: _Sizes = (),
    padding: _Sizes = (0, 0),
    dilation: _Sizes = (1, 1),
    ceil_mode: bool = False,
) -> Value:
    """max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor"""
    return _max_pool(op, self, 2, kernel_size, stride, padding, dilation, ceil_mode)


@translator("aten::max_pool3d")
def max_pool3d(
    op: Op,
    self: Value,
    kernel_size: _Sizes,
    stride: _Sizes = (),
    padding: _Sizes = (0, 0, 0),
    dilation: _Sizes = (1, 1, 1),
    ceil_mode: bool = False,
) -> Value:
    """max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> Tensor"""
    return _max_pool(op, self, 3, kernel_size, stride, padding, dilation, ceil_mode)


@translator("aten::max_pool2d_with_indices")
def max_pool2d_with_indices(
    op: Op,
    self: Value,
    kernel_size: _Sizes,
    stride: _Sizes = (),
    padding: _Sizes = (0, 0),
    dilation: _Sizes = (1, 1),
    ceil_mode: bool = False,
) -> tuple[Value, Value]:
    """max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)"""
    return _max_pool_with_indices(op, self, 2, kernel_size, stride, padding, dilation, ceil_mode)


@translator("aten::max_pool1d_with_indices")
def max_pool1d_with_indices(
    op: Op,
    self: Value,
    kernel_size: _Sizes,
    stride: _Sizes = (),
    padding: _Sizes = (0,),
    dilation: _Sizes = (1,),
    ceil_mode: bool = False,
) -> tuple[Value, Value]:
    """max_pool1d_with_indices(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, int[1] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)"""
    return _max_pool_with_indices(op, self, 1, kernel_size, stride, padding, dilation, ceil_mode)


@translator("aten::max_pool3d_with_indices")
def max_pool3d_with_indices(
    op: Op,
    self: Value,
    kernel_size: _Sizes,
    stride: _Sizes = (),
    padding: _Sizes = (0, 0, 0),
    dilation: _Sizes = (1, 1, 1),
    ceil_mode: bool = False,
) -> tuple[Value, Value]:
    """max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)"""
    return _max_pool_with_indices(op, self, 3, kernel_size, stride, padding, dilation, ceil_mode)


def _max_pool_with_indices(
    op: Op,
    self: Value,
    axes: int,
    kernel_size: _Sizes,
    stride: _Sizes,
    padding: _Sizes,
    dilation: _Sizes,
    ceil_mode: bool,
) -> tuple[Value, Value]:
    batched = self if rank_of(op, self) == axes + 2 else op.Unsqueeze(self, [0])
    windows = _windows(op, axes, kernel_size, stride, padding)
    dilations = per_axis(op, dilation, axes, "dilation")
    ends = windows.ends(op, batched, dilations) if ceil_mode else None
    values, places = op.MaxPool(
        batched,
        kernel_shape=windows.kernel,
        strides=windows.strides,
        pads=windows.pads if ends is None else [*windows.padding, *ends],
        dilations=dilations,
        ceil_mode=int(ceil_mode and ends is None),
        outputs=2,
    )
    # ONNX counts places through the whole tensor, torch in each plane of its own.
    places = op.Mod(places, op.ReduceProd(op.Shape(batched, start=2), keepdims=0))
    if batched is not self:
        values, places = op.Squeeze(values, [0]), op.Squeeze(places, [0])
    return values, places


@dataclasses.dataclass(frozen=True)
class _Windows:
    """The attributes of a pooling node: one number per spatial axis, the padding before and after it."""

    kernel: list[int]
    strides: list[int]
    padding: list[int]

    @property
    def pads(self) -> list[int]:
        return [*self.padding, *self.padding]

    def ends(self, op: Op, value: Value, dilations: Sequence[int]) -> list[int] | None:
        """Padding behind each axis that gives the windows of ``ceil_mode`` without it.

        It is wanted where torch drops a last window that would begin in the padding behind the input: ONNX
        did not drop it before opset 22, and its shape inference does not agree with its runtimes. None where
        no window is dropped, or a size is known at run time only.
        """
        axes, ends, is_dropped = len(self.kernel), [], False
        for axis, kernel, stride, pad, gap in zip(
            range(-axes, 0), self.kernel, self.strides, self.padding, dilations, strict=True
        ):
            size = dimension(op, value, axis)
            if not isinstance(size, int):
                return None
            reach = gap * (kernel - 1) + 1
            count = -(-(size + 2 * pad - reach) // stride) + 1
            if (count - 1) * stride >= size + pad:
                count, is_dropped = count - 1, True
            ends.append(max((count - 1) * stride + reach - size - pad, 0))
        return ends if is_dropped else None


def _windows(op: Op, axes: int, kernel_size: _Sizes, stride: _Sizes, padding: _Sizes) -> _Windows:
    """Without a stride, windows stand side by side."""
    kernel = per_axis(op, kernel_size, axes, "kernel size")
    strides = per_axis(op, stride, axes, "stride") if stride else kernel
    return _Windows(kernel, strides, per_axis(op, padding, axes, "padding"))


def _max_pool(
    op: Op,
    self: Value,
    axes: int,
    kernel_size: _Sizes,
    stride: _Sizes,
    padding: _Sizes,
    dilation: _Sizes,
    ceil_mode: bool,
) -> Value:
    windows = _windows(op, axes, kernel_size, stride, padding)
    dilations = per_axis(op, dilation, axes, "dilation")

    def call(value: Value) -> Value:
        ends = windows.ends(op, value, dilations) if ceil_mode else None
        return op.MaxPool(
            value,
            kernel_shape=windows.kernel,
            strides=windows.strides,
            pads=windows.pads if ends is None else [*windows.padding, *ends],
            dilations=dilations,
            ceil_mode=int(ceil_mode and ends is None),
        )

    return with_batch(op, self, axes, call)


@translator("aten::avg_pool1d")
def avg_pool1d(
    op: Op,
    self: Value,
    kernel_size: _Sizes,
    stride: _Sizes = (),
    padding: _Sizes = (0,),
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Value:
    """avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, bool ceil_mode=False, bool count_include_pad=True) -> Tensor"""
    return _avg_pool(op, self, 1, kernel_size, stride, padding, ceil_mode, count_include_pad, None)


@translator("aten::avg_pool2d")
def avg_pool2d(
    op: Op,
    self: Value,
    kernel_size: _Sizes,
    stride: _Sizes = (),
    padding: _Sizes = (0, 0),
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Value:
    """avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor"""
    return _avg_pool(
        op, self, 2, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
    )


@translator("aten::avg_pool3d")
def avg_pool3d(
    op: Op,
    self: Value,
    kernel_size: _Sizes,
    stride: _Sizes = (),
    padding: _Sizes = (0, 0, 0),
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Value:
    """avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor"""
    return _avg_pool(
        op, self, 3, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
    )


def _avg_pool(
    op: Op,
    self: Value,
    axes: int,
    kernel_size: _Sizes,
    stride: _Sizes,
    padding: _Sizes,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: int | None,
) -> Value:
    windows = _windows(op, axes, kernel_size, stride, padding)

    def call(value: Value) -> Value:
        if divisor_override is not None:
            return _summed(op, value, windows, ceil_mode, divisor_override)
        return _averaged(op, value, windows, ceil_mode, count_include_pad)

    return with_batch(op, self, axes, call)


def _averaged(op: Op, value: Value, windows: _Windows, ceil_mode: bool, count_include_pad: bool) -> Value:
    ends = windows.ends(op, value, [1] * len(windows.kernel)) if ceil_mode else None
    pairs = zip(ends or [], windows.padding, strict=False)
    if count_include_pad and any(end > pad for end, pad in pairs):
        op.refuse(
            "torch drops a last window of one axis and cuts one of another short, which ONNX's counts of "
            "elements do not tell: pad the input first, and pool without ceil_mode"
        )
    return op.AveragePool(
        value,
        kernel_shape=windows.kernel,
        strides=windows.strides,
        pads=windows.pads if ends is None else [*windows.padding, *ends],
        ceil_mode=int(ceil_mode and ends is None),
        count_include_pad=int(count_include_pad),
    )


def _summed(op: Op, value: Value, windows: _Windows, ceil_mode: bool, divisor: int) -> Value:
    """The windows' sums over ``divisor``: averages times the size of the kernel.

    With ``ceil_mode`` the padding is written out and reaches far enough that no window is cut short, since
    ONNX divides what is cut short by less than the kernel's size.
    """
    kernel, strides, before = windows.kernel, windows.strides, windows.padding
    factor = math.prod(kernel) / divisor
    if not ceil_mode:
        return op.Mul(_averaged(op, value, windows, False, True), factor)
    after = [pad + stride - 1 for pad, stride in zip(before, strides, strict=True)]
    averages = op.AveragePool(
        op.Pad(value, [0, 0, *before, 0, 0, *after], 0.0), kernel_shape=kernel, strides=strides
    )
    for axis, (size, stride, pad) in enumerate(zip(kernel, strides, before, strict=True), start=2):
        if stride - 1 + pad >= size:
            averages = _windows_inside(op, averages, axis, dimension(op, value, axis), stride, pad)
    return op.Mul(averages, factor)


def _windows_inside(op: Op, pooled: Value, axis: int, size: SymInt, stride: int, pad: int) -> Value:
    """Without a last window that starts in the padding behind the input."""
    if isinstance(size, int):
        count: Value = op.constant([-(-(size + pad) // stride)])
    else:
        count = op.Unsqueeze(op.Div(op.Add(size, pad + stride - 1), stride), [0])
    return op.Slice(pooled, [0], count, [axis])


@translator("aten::adaptive_avg_pool1d")
def adaptive_avg_pool1d(op: Op, self: Value, output_size: _Sizes) -> Value:
    """adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor"""
    return _adaptive_avg_pool(op, self, 1, output_size)


@translator("aten::adaptive_avg_pool2d", "aten::_adaptive_avg_pool2d")
def adaptive_avg_pool2d(op: Op, self: Value, output_size: Sequence[SymInt]) -> Value:
    """adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor"""
    return _adaptive_avg_pool(op, self, 2, output_size)


@translator("aten::adaptive_avg_pool3d", "aten::_adaptive_avg_pool3d")
def adaptive_avg_pool3d(op: Op, self: Value, output_size: Sequence[SymInt]) -> Value:
    """adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor"""
    return _adaptive_avg_pool(op, self, 3, output_size)


def _adaptive_avg_pool(op: Op, self: Value, axes: int, output_size: Sequence[SymInt]) -> Value:
    outputs = list(output_size) * axes if len(output_size) == 1 else list(output_size)
    inputs = [dimension(op, self, axis - axes) for axis in range(axes)]
    if all(size == 1 for size in outputs):
        if rank_of(op, self) == axes + 2 and self.dtype == ir.DataType.FLOAT:
            return op.GlobalAveragePool(self)
        return op.ReduceMean(self, list(range(-axes, 0)))
    kernel = [_even_window(size, wanted) for size, wanted in zip(inputs, outputs, strict=True)]
    if None not in kernel:
        return _avg_pool(op, self, axes, [size or 1 for size in kernel], (), (0,), False, True, None)
    value = self
    for axis, (size, wanted) in enumerate(zip(inputs, outputs, strict=True)):
        value = _averaged_axis(op, value, axis - axes, size, wanted)
    return value


def _even_window(size: SymInt, wanted: SymInt) -> int | None:
    """The size of windows that stand side by side and are all alike; None where they are not."""
    if not isinstance(size, int) or not isinstance(wanted, int) or wanted == 0 or size % wanted:
        return None
    return size // wanted or None


def _averaged_axis(op: Op, value: Value, axis: int, size: SymInt, wanted: SymInt) -> Value:
    """The mean of each of ``wanted`` windows along ``axis``; window i is [i*n // w, ceil((i+1)*n / w)).

    The windows' members are gathered side by side, as many as the longest has, and those that a window
    lacks are blanked out: a product with a matrix of weights would spread infinities to every window.
    """
    if size is wanted or (isinstance(size, int) and size == wanted):
        return value
    steps = op.Range(0, wanted, 1)
    first = op.Div(op.Mul(steps, size), wanted)
    last = op.Div(op.Sub(op.Add(op.Mul(op.Add(steps, 1), size), wanted), 1), wanted)
    length = op.Sub(last, first)
    members = op.Range(0, op.ReduceMax(length, keepdims=0), 1)
    inside = op.Less(members, op.Unsqueeze(length, [1]))
    places = op.Where(inside, op.Add(op.Unsqueeze(first, [1]), members), 0)
    gathered = op.Gather(value, places, axis=axis)
    # The windows now stand in axes ``axis - 1`` and ``axis``; what follows them broadcasts.
    trailing = list(range(2, 1 - axis))
    mask = op.Unsqueeze(inside, trailing) if trailing else inside
    total = op.ReduceSum(op.Where(mask, gathered, 0.0), [axis], keepdims=0)
    count = op.cast(length, value.dtype or ir.DataType.FLOAT)
    return op.Div(total, op.Unsqueeze(count, [dim - 1 for dim in trailing]) if trailing else count)
