"""What convolutions and pooling share: one number per spatial axis, and input without a batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit import rank_of
from onnx_torchlib._op import Op

__all__ = ["per_axis", "with_batch"]


def per_axis(op: Op, values: Sequence[SymInt], axes: int, what: str) -> list[int]:
    """``values`` as one constant per axis; a single one stands for all.

    Raises:
        Unsupported: one is computed at run time; ONNX has an attribute for it.
    """
    constants = [value for value in values if isinstance(value, int)]
    if len(constants) != len(values):
        op.refuse(f"its {what} is computed at run time, and ONNX takes a constant")
    return constants * axes if len(constants) == 1 else constants


def with_batch(op: Op, value: Value, axes: int, call: Callable[[Value], Value]) -> Value:
    """``call`` on ``value`` with a batch in front, which the result lacks again where ``value`` has none."""
    if rank_of(op, value) == axes + 2:
        return call(value)
    return op.Squeeze(call(op.Unsqueeze(value, [0])), [0])
