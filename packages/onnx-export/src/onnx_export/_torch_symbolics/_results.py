"""What a symbolic function returned, as the results of the call."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_ir as ir
import torch

from onnx_export._torch_symbolics._graph import ScratchGraph

__all__ = ["results_of"]


def results_of(scratch: ScratchGraph, result: object, expected: Sequence[ir.Value]) -> list[ir.Value]:
    """The ONNX values behind ``result``, which have the types of ``expected`` where nothing else is known.

    Raises:
        TypeError: it is no value, or no sequence of values.
        ValueError: there are more or fewer of them than the call has results.
    """
    given = list(result) if isinstance(result, list | tuple) else [result]
    if len(given) == 1 and len(expected) != 1:
        given = _members(given[0])
    if len(given) != len(expected):
        raise ValueError(f"it returned {len(given)} values, the call has {len(expected)} outputs")
    return [
        _result(scratch, value, wanted, place)
        for place, (value, wanted) in enumerate(zip(given, expected, strict=True))
    ]


def _members(value: object) -> list[object]:
    """The items of a list or tuple that was made as a node; else the value itself."""
    if isinstance(value, torch._C.Value):
        node = value.node()
        if node.kind() in ("prim::ListConstruct", "prim::TupleConstruct"):
            return list(node.inputs())
    return [value]


def _result(scratch: ScratchGraph, value: object, wanted: ir.Value, place: int) -> ir.Value:
    is_used = bool(wanted.uses()) or wanted.is_graph_output()
    if value is None and not is_used:
        return ir.Value(name=wanted.name, type=wanted.type, shape=wanted.shape)
    lowered = scratch.lowered(value) if isinstance(value, torch._C.Value) else None
    if lowered is None:
        where = f" as result {place}" if place else ""
        raise TypeError(f"it returned {value!r}{where}, which is no value of the graph")
    if lowered.shape is None and wanted.shape is not None:
        lowered.shape = wanted.shape.copy()
    return lowered
