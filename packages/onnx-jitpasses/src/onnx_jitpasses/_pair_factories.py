"""Complex tensors that are filled with one number."""

from __future__ import annotations

from collections.abc import Mapping

import onnx_ir as ir

from onnx_jitpasses._pair_call import PARTS, PairCall, Rewrite

__all__ = ["FACTORIES"]


def _number(call: PairCall, fill: int, position: int | None) -> int | float | complex:
    """What the tensor is filled with: ``fill``, or the number at ``position``."""
    found = fill if position is None else call.number(call.tensor(position))
    if found is None:
        raise call.refuse("what it is filled with is known at run time only")
    if isinstance(found, complex) and call.output.dtype not in PARTS:
        raise call.refuse("it fills complex numbers into a real tensor")
    return found


def _like(fill: int, position: int | None = None) -> Rewrite:
    """``zeros_like`` and its kind."""

    def rewrite(call: PairCall) -> ir.Value:
        value, number = call.tensor(0), _number(call, fill, position)
        shape = call.component(value, 0) if call.is_pair(value) else value
        dims = call.dims(call.output)
        if call.output.dtype not in PARTS:
            inputs = [shape, number, call.dtype, *[None] * 4]
            return call.call("aten::full_like", inputs, call.real_like(dims, call.output.dtype))
        parts = [
            call.call("aten::full_like", [shape, part, call.part, *[None] * 4], call.real_like(dims))
            for part in (complex(number).real, complex(number).imag)
        ]
        return call.join(*parts)

    return rewrite


def _sized(fill: int, position: int | None = None, *, sizes: int = 0) -> Rewrite:
    """``zeros`` and its kind, whose sizes are the argument ``sizes``."""

    def rewrite(call: PairCall) -> ir.Value:
        number, shape = _number(call, fill, position), call.ints(call.items(sizes))
        dims = call.dims(call.output)
        if call.output.dtype not in PARTS:
            inputs = [shape, number, call.dtype, None, None, None]
            return call.call("aten::full", inputs, call.real_like(dims, call.output.dtype))
        parts = [
            call.call("aten::full", [shape, part, call.part, None, None, None], call.real_like(dims))
            for part in (complex(number).real, complex(number).imag)
        ]
        return call.join(*parts)

    return rewrite


def _scalar_tensor(call: PairCall) -> ir.Value:
    return call.pair(call.tensor(0))


FACTORIES: Mapping[str, Rewrite] = {
    "empty": _sized(0),
    "empty_like": _like(0),
    "full": _sized(0, 1),
    "full_like": _like(0, 1),
    "new_empty": _sized(0, sizes=1),
    "new_full": _sized(0, 2, sizes=1),
    "new_ones": _sized(1, sizes=1),
    "new_zeros": _sized(0, sizes=1),
    "ones": _sized(1),
    "ones_like": _like(1),
    "scalar_tensor": _scalar_tensor,
    "zeros": _sized(0),
    "zeros_like": _like(0),
}
"""Rewrites by the operator's name."""
