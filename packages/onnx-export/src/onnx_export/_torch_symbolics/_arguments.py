"""Arguments of a call as the values that torch.onnx hands to symbolic functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import onnx_ir as ir
import torch

from onnx_export._torch_symbolics._graph import ScratchGraph
from onnx_export._torch_symbolics._types import number_of_dtype
from onnx_ir_capture.torchscript import SCRIPT_LAYOUTS, SCRIPT_MEMORY_FORMATS

__all__ = ["argument_value"]

_PLACES: Mapping[str, Sequence[object]] = {"Layout": SCRIPT_LAYOUTS, "MemoryFormat": SCRIPT_MEMORY_FORMATS}
"""Arguments that are numbers in a graph, and known by their names elsewhere."""


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
    if kind in _PLACES:
        names = [str(place).removeprefix("torch.") for place in _PLACES[kind]]
        return scratch.constant(torch.tensor(names.index(text) if text in names else 0))
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
