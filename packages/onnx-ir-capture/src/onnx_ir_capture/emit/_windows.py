"""What convolutions and pooling share: one number per spatial axis, and input without a batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._shapes import rank_of

__all__ = ["per_axis", "with_batch"]


def per_axis(emitter: Emitter, values: Sequence[SymInt], axes: int, what: str) -> list[int]:
    """``values`` as one constant per axis; a single one stands for all.

    Raises:
        Unsupported: one is computed at run time; ONNX has an attribute for it.
    """
    constants = [value for value in values if isinstance(value, int)]
    if len(constants) != len(values):
        emitter.refuse(f"its {what} is computed at run time, and ONNX takes a constant")
    return constants * axes if len(constants) == 1 else constants


def with_batch(emitter: Emitter, value: Value, axes: int, call: Callable[[Value], Value]) -> Value:
    """``call`` on ``value`` with a batch in front, which the result lacks again where ``value`` has none."""
    if rank_of(emitter, value) == axes + 2:
        return call(value)
    return emitter.Squeeze(call(emitter.Unsqueeze(value, [0])), [0])
