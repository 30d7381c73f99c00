"""Operators whose axes moved from an attribute to an input, one after the other."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.emit._calls import Argument, AttributeValue
from onnx_ir_capture.emit._constants import as_value, constant_ints, dtype_of, static_rank
from onnx_ir_capture.emit._division import opmath_dtype
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._forms import FormFunction, NodeOutput, form

__all__ = ["reduce_log_sum_exp", "squeeze", "unsqueeze"]


@form("Unsqueeze", reviewed=25)
def unsqueeze(emitter: Emitter, data: Argument, axes: Argument) -> NodeOutput:
    """Since 13: axes is an input. Since 11: axes may count from the back."""
    if emitter.opset >= 13:
        return emitter.node("Unsqueeze", [data, axes])
    positions = constant_ints(emitter, axes, "the axes of Unsqueeze", since=13)
    if emitter.opset < 11 and any(axis < 0 for axis in positions):
        rank = static_rank(emitter, data, "Unsqueeze along a negative axis", since=11) + len(positions)
        positions = tuple(axis % rank for axis in positions)
    return emitter.node("Unsqueeze", [data], {"axes": sorted(positions)})


@form("Squeeze", reviewed=25)
def squeeze(emitter: Emitter, data: Argument, axes: Argument | None = None) -> NodeOutput:
    """Since 13: axes is an input."""
    if emitter.opset >= 13:
        return emitter.node("Squeeze", [data] if axes is None else [data, axes])
    if axes is None:
        return emitter.node("Squeeze", [data])
    return emitter.node("Squeeze", [data], {"axes": constant_ints(emitter, axes, "the axes of Squeeze", 13)})


# ONNX Runtime sums integers in double and cuts the result off at the ends of the dtype's range. In INT64 that
# is exact up to 2**53, and the cast back drops the high bits as the narrow sum would have.
_SUMS = ("ReduceL1", "ReduceSum")
_NARROW = (
    ir.DataType.INT8,
    ir.DataType.INT16,
    ir.DataType.INT32,
    ir.DataType.UINT8,
    ir.DataType.UINT16,
    ir.DataType.UINT32,
)


def _reduction(op_type: str, since: int) -> FormFunction:
    def reduction(
        emitter: Emitter,
        data: Argument,
        axes: Argument | None = None,
        *,
        keepdims: int = 1,
        noop_with_empty_axes: int = 0,
    ) -> Sequence[ir.Value]:
        dtype = dtype_of(data)
        if op_type in _SUMS and dtype in _NARROW and isinstance(data, ir.Value):
            wide = emitter.cast(data, ir.DataType.INT64)
            total = reduction(
                emitter, wide, axes, keepdims=keepdims, noop_with_empty_axes=noop_with_empty_axes
            )
            return [emitter.cast(value, dtype) for value in total]
        attributes: dict[str, AttributeValue] = {"keepdims": keepdims}
        if emitter.opset >= since:
            if noop_with_empty_axes:
                attributes["noop_with_empty_axes"] = noop_with_empty_axes
            return emitter.node(op_type, [data] if axes is None else [data, axes], attributes)
        positions = () if axes is None else constant_ints(emitter, axes, f"the axes of {op_type}", since)
        if not positions and noop_with_empty_axes:
            emitter.refuse(f"{op_type} that keeps every axis can be written from opset {since}", since)
        if positions:
            attributes["axes"] = positions
        return emitter.node(op_type, [data], attributes)

    reduction.__doc__ = f"{op_type}. Since {since}: axes is an input, which may be empty for none."
    return reduction


form("ReduceSum", reviewed=13)(_reduction("ReduceSum", since=13))
for _op_type, _reviewed in {
    "ReduceL1": 18,
    "ReduceL2": 18,
    "ReduceLogSum": 28,
    "ReduceMax": 20,
    "ReduceMean": 18,
    "ReduceMin": 20,
    "ReduceProd": 18,
    "ReduceSumSquare": 18,
}.items():
    form(_op_type, reviewed=_reviewed)(_reduction(_op_type, since=18))


_log_sum_exp = _reduction("ReduceLogSumExp", since=18)


@form("ReduceLogSumExp", reviewed=28)
def reduce_log_sum_exp(
    emitter: Emitter,
    data: Argument,
    axes: Argument | None = None,
    *,
    keepdims: int = 1,
    noop_with_empty_axes: int = 0,
) -> NodeOutput:
    """Since 28: a function that adds the exponentials as they are, which vanish below -745, or overflow."""
    dtype = dtype_of(data)
    options = {"keepdims": keepdims, "noop_with_empty_axes": noop_with_empty_axes}
    if dtype is None or not dtype.is_floating_point():
        return _log_sum_exp(emitter, data, axes, **options)
    # Without a kernel for half precision, ONNX Runtime adds its exponentials as they are at every opset.
    value = emitter.cast(as_value(emitter, data, dtype), opmath_dtype(dtype))
    if emitter.opset < 28 or noop_with_empty_axes:
        result = _log_sum_exp(emitter, value, axes, **options)
        return [emitter.cast(part, dtype) for part in (result if isinstance(result, Sequence) else [result])]
    largest = emitter.ReduceMax(value, axes, keepdims=1)
    # The difference of two infinities would be NaN.
    shift = emitter.Where(emitter.IsInf(largest), 0.0, largest)
    total = emitter.ReduceSum(emitter.Exp(emitter.Sub(value, shift)), axes, keepdims=keepdims)
    back = shift if keepdims else emitter.Squeeze(shift, axes)
    return emitter.cast(emitter.Add(emitter.Log(total), back), dtype)
