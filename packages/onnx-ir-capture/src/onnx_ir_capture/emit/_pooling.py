"""Maxima and means of windows, with torch's rule for the last window."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import TypeAlias

import onnx_ir as ir

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._shapes import dimension, rank_of
from onnx_ir_capture.emit._windows import per_axis, with_batch

__all__ = ["adaptive_average_pooled", "average_pooled", "max_pooled", "max_pooled_with_places"]


_CEIL_MODE = 10

_Sizes: TypeAlias = Sequence[int]


"""One number for each axis that a window slides along, or one for all."""


def max_pooled_with_places(
    emitter: Emitter,
    self: Value,
    axes: int,
    kernel_size: _Sizes,
    stride: _Sizes,
    padding: _Sizes,
    dilation: _Sizes,
    ceil_mode: bool,
) -> tuple[Value, Value]:
    """The same with the place of each in its plane."""
    batched = self if rank_of(emitter, self) == axes + 2 else emitter.Unsqueeze(self, [0])
    windows = _windows(emitter, axes, kernel_size, stride, padding)
    dilations = per_axis(emitter, dilation, axes, "dilation")
    ends = windows.ends(emitter, batched, dilations) if ceil_mode else None
    values, places = emitter.MaxPool(
        batched,
        kernel_shape=windows.kernel,
        strides=windows.strides,
        pads=windows.pads if ends is None else [*windows.padding, *ends],
        dilations=dilations,
        ceil_mode=int(ceil_mode and ends is None),
        outputs=2,
    )
    # ONNX counts places through the whole tensor, torch in each plane of its own.
    places = emitter.Mod(places, emitter.ReduceProd(emitter.Shape(batched, start=2), keepdims=0))
    if batched is not self:
        values, places = emitter.Squeeze(values, [0]), emitter.Squeeze(places, [0])
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

    def ends(self, emitter: Emitter, value: Value, dilations: Sequence[int]) -> list[int] | None:
        """Padding behind each axis that gives the windows of ``ceil_mode`` without it.

        It is wanted where torch drops a last window that would begin in the padding behind the input: ONNX
        did not drop it before opset 22, and its shape inference does not agree with its runtimes; and before
        opset 10, which has no ceil_mode. None where no window is dropped, or a size is known at run time
        only.
        """
        axes, ends, is_dropped = len(self.kernel), [], False
        for axis, kernel, stride, pad, gap in zip(
            range(-axes, 0), self.kernel, self.strides, self.padding, dilations, strict=True
        ):
            size = dimension(emitter, value, axis)
            if not isinstance(size, int):
                return None
            reach = gap * (kernel - 1) + 1
            count = -(-(size + 2 * pad - reach) // stride) + 1
            if (count - 1) * stride >= size + pad:
                count, is_dropped = count - 1, True
            ends.append(max((count - 1) * stride + reach - size - pad, 0))
        return ends if is_dropped or emitter.opset < _CEIL_MODE else None


def _windows(emitter: Emitter, axes: int, kernel_size: _Sizes, stride: _Sizes, padding: _Sizes) -> _Windows:
    """Without a stride, windows stand side by side."""
    kernel = per_axis(emitter, kernel_size, axes, "kernel size")
    strides = per_axis(emitter, stride, axes, "stride") if stride else kernel
    return _Windows(kernel, strides, per_axis(emitter, padding, axes, "padding"))


def max_pooled(
    emitter: Emitter,
    self: Value,
    axes: int,
    kernel_size: _Sizes,
    stride: _Sizes,
    padding: _Sizes,
    dilation: _Sizes,
    ceil_mode: bool,
) -> Value:
    """The largest element of each window that slides along the last ``axes`` axes."""
    windows = _windows(emitter, axes, kernel_size, stride, padding)
    dilations = per_axis(emitter, dilation, axes, "dilation")

    def call(value: Value) -> Value:
        ends = windows.ends(emitter, value, dilations) if ceil_mode else None
        return emitter.MaxPool(
            value,
            kernel_shape=windows.kernel,
            strides=windows.strides,
            pads=windows.pads if ends is None else [*windows.padding, *ends],
            dilations=dilations,
            ceil_mode=int(ceil_mode and ends is None),
        )

    return with_batch(emitter, self, axes, call)


def average_pooled(
    emitter: Emitter,
    self: Value,
    axes: int,
    kernel_size: _Sizes,
    stride: _Sizes,
    padding: _Sizes,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: int | None,
) -> Value:
    """The mean of each window, or its sum over ``divisor_override``."""
    windows = _windows(emitter, axes, kernel_size, stride, padding)

    def call(value: Value) -> Value:
        if divisor_override is not None:
            return _summed(emitter, value, windows, ceil_mode, divisor_override)
        return _averaged(emitter, value, windows, ceil_mode, count_include_pad)

    return with_batch(emitter, self, axes, call)


def _averaged(
    emitter: Emitter, value: Value, windows: _Windows, ceil_mode: bool, count_include_pad: bool
) -> Value:
    ends = windows.ends(emitter, value, [1] * len(windows.kernel)) if ceil_mode else None
    pairs = zip(ends or [], windows.padding, strict=False)
    if count_include_pad and any(end > pad for end, pad in pairs):
        if emitter.opset < _CEIL_MODE:
            emitter.refuse(
                "AveragePool counts elements of a window cut short only with ceil_mode", _CEIL_MODE
            )
        emitter.refuse(
            "torch drops a last window of one axis and cuts one of another short, which ONNX's counts of "
            "elements do not tell: pad the input first, and pool without ceil_mode"
        )
    return emitter.AveragePool(
        value,
        kernel_shape=windows.kernel,
        strides=windows.strides,
        pads=windows.pads if ends is None else [*windows.padding, *ends],
        ceil_mode=int(ceil_mode and ends is None),
        count_include_pad=int(count_include_pad),
    )


def _summed(emitter: Emitter, value: Value, windows: _Windows, ceil_mode: bool, divisor: int) -> Value:
    """The windows' sums over ``divisor``: averages times the size of the kernel.

    With ``ceil_mode`` the padding is written out and reaches far enough that no window is cut short, since
    ONNX divides what is cut short by less than the kernel's size.
    """
    kernel, strides, before = windows.kernel, windows.strides, windows.padding
    factor = math.prod(kernel) / divisor
    if not ceil_mode:
        return emitter.Mul(_averaged(emitter, value, windows, False, True), factor)
    after = [pad + stride - 1 for pad, stride in zip(before, strides, strict=True)]
    averages = emitter.AveragePool(
        emitter.Pad(value, [0, 0, *before, 0, 0, *after], 0.0), kernel_shape=kernel, strides=strides
    )
    for axis, (size, stride, pad) in enumerate(zip(kernel, strides, before, strict=True), start=2):
        if stride - 1 + pad >= size:
            averages = _windows_inside(emitter, averages, axis, dimension(emitter, value, axis), stride, pad)
    return emitter.Mul(averages, factor)


def _windows_inside(emitter: Emitter, pooled: Value, axis: int, size: SymInt, stride: int, pad: int) -> Value:
    """Without a last window that starts in the padding behind the input."""
    if isinstance(size, int):
        count: Value = emitter.constant([-(-(size + pad) // stride)])
    else:
        count = emitter.Unsqueeze(emitter.Div(emitter.Add(size, pad + stride - 1), stride), [0])
    return emitter.Slice(pooled, [0], count, [axis])


def adaptive_average_pooled(emitter: Emitter, self: Value, axes: int, output_size: Sequence[SymInt]) -> Value:
    """The mean of each of ``output_size`` windows along the last ``axes`` axes."""
    outputs = list(output_size) * axes if len(output_size) == 1 else list(output_size)
    inputs = [dimension(emitter, self, axis - axes) for axis in range(axes)]
    if all(size == 1 for size in outputs):
        if rank_of(emitter, self) == axes + 2 and self.dtype == ir.DataType.FLOAT:
            return emitter.GlobalAveragePool(self)
        return emitter.ReduceMean(self, list(range(-axes, 0)))
    kernel = [_even_window(size, wanted) for size, wanted in zip(inputs, outputs, strict=True)]
    if None not in kernel:
        return average_pooled(
            emitter, self, axes, [size or 1 for size in kernel], (), (0,), False, True, None
        )
    value = self
    for axis, (size, wanted) in enumerate(zip(inputs, outputs, strict=True)):
        value = _averaged_axis(emitter, value, axis - axes, size, wanted)
    return value


def _even_window(size: SymInt, wanted: SymInt) -> int | None:
    """The size of windows that stand side by side and are all alike; None where they are not."""
    if not isinstance(size, int) or not isinstance(wanted, int) or wanted == 0 or size % wanted:
        return None
    return size // wanted or None


def _averaged_axis(emitter: Emitter, value: Value, axis: int, size: SymInt, wanted: SymInt) -> Value:
    """The mean of each of ``wanted`` windows along ``axis``; window i is [i*n // w, ceil((i+1)*n / w)).

    The windows' members are gathered side by side, as many as the longest has, and those that a window
    lacks are blanked out: a product with a matrix of weights would spread infinities to every window.
    """
    if size is wanted or (isinstance(size, int) and size == wanted):
        return value
    steps = emitter.Range(0, wanted, 1)
    first = emitter.Div(emitter.Mul(steps, size), wanted)
    last = emitter.Div(emitter.Sub(emitter.Add(emitter.Mul(emitter.Add(steps, 1), size), wanted), 1), wanted)
    length = emitter.Sub(last, first)
    members = emitter.Range(0, emitter.ReduceMax(length, keepdims=0), 1)
    inside = emitter.Less(members, emitter.Unsqueeze(length, [1]))
    places = emitter.Where(inside, emitter.Add(emitter.Unsqueeze(first, [1]), members), 0)
    gathered = emitter.Gather(value, places, axis=axis)
    # The windows now stand in axes ``axis - 1`` and ``axis``; what follows them broadcasts.
    trailing = list(range(2, 1 - axis))
    mask = emitter.Unsqueeze(inside, trailing) if trailing else inside
    total = emitter.ReduceSum(emitter.Where(mask, gathered, 0.0), [axis], keepdims=0)
    count = emitter.cast(length, value.dtype or ir.DataType.FLOAT)
    return emitter.Div(total, emitter.Unsqueeze(count, [dim - 1 for dim in trailing]) if trailing else count)
