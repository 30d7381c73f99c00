"""What a caller gives for the inputs of a graph, checked before anything runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import onnx_ir as ir
import torch

from onnx_ir_capture.dialect import ScalarType, TorchDType, type_text
from onnx_ir_capture.interpreter._errors import describe

__all__ = ["match_inputs"]

_SCALARS: Mapping[str, tuple[type, ...]] = {
    "int": (int, torch.SymInt),
    "float": (float, int, torch.SymFloat, torch.SymInt),
    "bool": (bool, torch.SymBool),
    "complex": (complex, float, int),
    "str": (str,),
}


def match_inputs(
    graph: ir.Graph, inputs: Sequence[object] | Mapping[str, object]
) -> list[tuple[ir.Value, object]]:
    """Pair each graph input with what is given for it.

    Raises:
        TypeError: an input is of another kind or dtype than the graph declares.
        ValueError: inputs are missing or too many, or one has another rank or fixed size.
    """
    wanted = [value for value in graph.inputs if not value.is_initializer()]
    if isinstance(inputs, Mapping):
        given = _by_name(wanted, inputs)
    else:
        given = list(inputs)
        if len(given) != len(wanted):
            names = ", ".join(str(value.name) for value in wanted)
            raise ValueError(f"{len(given)} inputs are given, and the graph has {len(wanted)}: {names}")
    pairs = list(zip(wanted, given, strict=True))
    for value, actual in pairs:
        _check(value, actual)
    return pairs


def _by_name(wanted: Sequence[ir.Value], inputs: Mapping[str, object]) -> list[object]:
    names = [value.name or "" for value in wanted]
    missing = [name for name in names if name not in inputs]
    unknown = [name for name in inputs if name not in names]
    if missing or unknown:
        parts = [
            f"{label}: {', '.join(found)}"
            for label, found in (("missing", missing), ("unknown", unknown))
            if found
        ]
        raise ValueError(f"the graph's inputs are {', '.join(names)}; {'; '.join(parts)}")
    return [inputs[name] for name in names]


def _check(value: ir.Value, actual: object) -> None:
    if isinstance(value.type, ScalarType):
        kinds = _SCALARS.get(value.type.kind)
        mistaken = isinstance(actual, bool) and value.type.kind != "bool"
        if kinds is not None and (mistaken or not isinstance(actual, kinds)):
            raise TypeError(f"input {value.name!r} is a {value.type.kind}, and {describe(actual)} is given")
        return
    if not isinstance(value.type, ir.TensorType):
        return
    if not isinstance(actual, torch.Tensor):
        raise TypeError(f"input {value.name!r} is a tensor, and {describe(actual)} is given")
    dtype = TorchDType(str(actual.dtype).removeprefix("torch.")).onnx
    if value.type.dtype not in (ir.DataType.UNDEFINED, dtype):
        wanted = type_text(value.type)
        raise TypeError(f"input {value.name!r} has the dtype {wanted}, and {describe(actual)} is given")
    if value.shape is not None and not _fits(value.shape, actual.shape):
        raise ValueError(
            f"input {value.name!r} has the shape [{_sizes(value.shape)}], and {describe(actual)} is given"
        )


def _sizes(shape: ir.Shape) -> str:
    return ", ".join(str(dim) if isinstance(dim, int) else dim.value or "?" for dim in shape)


def _fits(declared: ir.Shape, actual: Sequence[int]) -> bool:
    """Whether rank and fixed sizes agree; a symbolic size on either side fits everything."""
    if len(declared) != len(actual):
        return False
    pairs = zip(declared, actual, strict=True)
    return all(wanted == size for wanted, size in pairs if isinstance(wanted, int) and isinstance(size, int))
