"""Arguments of a call as the values that torch.onnx hands to symbolic functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import onnx_ir as ir
import torch

from onnx_export._torch_symbolics._graph import ScratchGraph
from onnx_export._torch_symbolics._types import number_of_dtype

__all__ = ["argument_value"]

# Of c10/core/Layout.h and c10/core/MemoryFormat.h.
_PLACES: Mapping[str, Mapping[str, int]] = {
    "Layout": {"strided": 0, "sparse_coo": 1, "sparse_csr": 2},
    "MemoryFormat": {
        "contiguous_format": 0,
        "preserve_format": 1,
        "channels_last": 2,
        "channels_last_3d": 3,
    },
}


def argument_value(scratch: ScratchGraph, argument: object, kind: str) -> torch._C.Value:
    """The value for an argument, constants among them as ``onnx::Constant``.

    Args:
        scratch: the graph of the call.
        argument: as the driver binds it.
        kind: the element type that the schema has for it.

    Raises:
        TypeError: the argument is nothing that a TorchScript graph holds.
    """
    if argument is None:
        return scratch.none()
    if isinstance(argument, ir.Value):
        return scratch.tensor(argument)
    if isinstance(argument, ir.DataType):  # before the integers: it is one
        return scratch.constant(torch.tensor(number_of_dtype(argument)))
    if isinstance(argument, str):
        return _text(scratch, argument, kind)
    if isinstance(argument, int | float | complex):
        dtype = torch.float64 if isinstance(argument, float) else None
        return scratch.constant(torch.tensor(argument, dtype=dtype))
    if isinstance(argument, list | tuple):
        return _list(scratch, argument, kind)
    raise TypeError(f"{argument!r} is no argument that a symbolic function can be given")


def _text(scratch: ScratchGraph, text: str, kind: str) -> torch._C.Value:
    numbers = _PLACES.get(kind)
    if numbers is not None:
        return scratch.constant(torch.tensor(numbers.get(text, 0)))
    return scratch.text(text)


def _list(scratch: ScratchGraph, items: Sequence[object], kind: str) -> torch._C.Value:
    numbers = [item for item in items if isinstance(item, int | float)]
    if len(numbers) == len(items) and kind != "Tensor":
        # A list of numbers is one constant. Without a dtype torch takes floats for float32, as runtimes do.
        dtype = None if numbers else {"float": torch.float32}.get(kind, torch.int64)
        return scratch.constant(torch.tensor(numbers, dtype=dtype))
    values = [argument_value(scratch, item, kind) for item in items]
    element = torch._C.StringType.get() if kind == "str" else torch._C.TensorType.get()
    return scratch.construct(values, element)
