"""Calls of operators: look-up, arguments by schema, results by output."""

from __future__ import annotations

import importlib
from collections.abc import Sequence

import onnx_ir as ir
import torch

from onnx_ir_capture.dialect import ListType, OpName, TupleType, aliases_of, op_name
from onnx_ir_capture.interpreter._python import python_function

__all__ = ["call", "find_operator", "spread", "written_positions"]

_Operator = torch._ops.OpOverload[..., object]


# Modules of torch that register operators only when they are imported.
_REGISTERED_BY = {"quantized_decomposed": "torch.ao.quantization.fx._decomposed"}


def find_operator(name: OpName) -> _Operator | None:
    """The overload that ``torch.ops`` holds under ``name``; None where no library has registered it."""
    if name.domain in _REGISTERED_BY:
        importlib.import_module(_REGISTERED_BY[name.domain])
    namespace: object = getattr(torch.ops, name.domain, None)
    packet: object = getattr(namespace, name.name, None)
    overload: object = getattr(packet, name.overload or "default", None)
    return overload if isinstance(overload, torch._ops.OpOverload) else None


def call(name: OpName, inputs: Sequence[object]) -> object:
    """Run an operator on one input per schema argument.

    Raises:
        LookupError: no operator has this name, or it takes another number of arguments.
    """
    function = python_function(name, inputs)
    if function is not None:
        return function(*inputs)
    op = find_operator(name)
    if op is None:
        raise LookupError(
            "torch.ops has no operator of this name; import the library that registers it before running"
        )
    formals = op._schema.arguments
    if len(formals) != len(inputs):
        raise LookupError(f"the node has {len(inputs)} inputs, and its schema {len(formals)}: {op._schema}")
    positional = [value for formal, value in zip(formals, inputs, strict=True) if not formal.kwarg_only]
    named = {formal.name: value for formal, value in zip(formals, inputs, strict=True) if formal.kwarg_only}
    return op(*positional, **named)


def written_positions(node: ir.Node) -> frozenset[int]:
    """Positions of the inputs that a call writes: by its marks, and by the schema should it have none."""
    marked = aliases_of(node).mutates if "mutates" in node.attributes else ()
    op = find_operator(op_name(node)) if node.domain != "prim" else None
    if op is None:
        return frozenset(marked)
    formals = enumerate(op._schema.arguments)
    return frozenset(marked) | {
        at for at, formal in formals if formal.alias_info and formal.alias_info.is_write
    }


def spread(result: object, outputs: Sequence[ir.Value]) -> list[object]:
    """What each output of a node gets of the result of its call.

    A list or tuple is spread over the outputs, unless the output it meets is itself a list or tuple, or the
    only one and of unknown type.

    Raises:
        ValueError: there are more or fewer values than outputs.
    """
    if result is None and not outputs:
        return []
    if len(outputs) == 1 and (outputs[0].type is None or _is_whole(outputs[0])):
        return [result]
    found: list[object] = []
    for member in result if isinstance(result, list | tuple) else [result]:
        _append_leaves(member, outputs, found)
    if len(found) != len(outputs):
        raise ValueError(f"it gave {len(found)} results where the captured program has {len(outputs)}")
    return found


def _append_leaves(result: object, outputs: Sequence[ir.Value], found: list[object]) -> None:
    is_whole = len(found) < len(outputs) and _is_whole(outputs[len(found)])
    if is_whole or not isinstance(result, list | tuple):
        found.append(result)
        return
    for member in result:
        _append_leaves(member, outputs, found)


def _is_whole(output: ir.Value) -> bool:
    return isinstance(output.type, ListType | TupleType)
