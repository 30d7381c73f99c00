"""Elements by the strides between them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from onnx_ir_capture.contracts import SymInt, Value
from onnx_ir_capture.emit._emitter import Emitter

__all__ = ["places_by_strides"]


def places_by_strides(
    emitter: Emitter, value: Value, sizes: Sequence[SymInt], strides: Sequence[SymInt], offset: SymInt | None
) -> Value:
    """For each element of a tensor of ``sizes`` its place among those of ``value``, counted row by row.

    Raises:
        Unsupported: an element lies behind the last one of ``value``.
    """
    start = 0 if offset is None else offset
    _check_end(emitter, value, [*sizes, *strides, start])
    places = emitter.constant(start) if isinstance(start, int) else start
    for axis, (size, stride) in enumerate(zip(sizes, strides, strict=True)):
        steps = _steps(emitter, size, stride)
        behind = list(range(1, len(sizes) - axis))
        places = emitter.Add(places, emitter.Unsqueeze(steps, behind) if behind else steps)
    return places


def _steps(emitter: Emitter, size: SymInt, stride: SymInt) -> Value:
    if isinstance(size, int) and isinstance(stride, int):
        return emitter.constant(np.arange(size, dtype=np.int64) * stride)
    limit = emitter.constant(size) if isinstance(size, int) else size
    return emitter.Mul(emitter.Range(0, limit, 1), stride)


def _check_end(emitter: Emitter, value: Value, numbers: Sequence[SymInt]) -> None:
    known = [number for number in numbers if isinstance(number, int)]
    own = [size for size in value.shape or () if isinstance(size, int)]
    if len(known) < len(numbers) or value.shape is None or len(own) < len(value.shape):
        return
    rank = len(known) // 2
    sizes, strides, start = known[:rank], known[rank:-1], known[-1]
    last = start + sum((size - 1) * stride for size, stride in zip(sizes, strides, strict=True))
    if 0 not in sizes and last >= math.prod(own):
        emitter.refuse(
            f"it reads element {last} of memory, where its tensor has {math.prod(own)} elements; call it on "
            "the tensor that this one is a part of"
        )
