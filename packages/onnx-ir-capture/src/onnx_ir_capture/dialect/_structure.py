"""The frame of the dialect, node by node: constants, lists, tuples, identity, if and loop."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import onnx_ir as ir

from onnx_ir_capture.dialect._agreement import agree, disagreement, is_bool, is_scalar
from onnx_ir_capture.dialect._constants import constant_key, decode_constant
from onnx_ir_capture.dialect._text import typed_text, value_text
from onnx_ir_capture.dialect._types import (
    ListType,
    ScalarType,
    TupleType,
    is_plain_tensor,
    scalar_type,
    type_text,
)

__all__ = ["BLOCK_NAMES", "STRUCTURAL_FAULTS", "blocks_of"]

BLOCK_NAMES: Mapping[str, tuple[str, ...]] = {"If": ("then_branch", "else_branch"), "Loop": ("body",)}
"""Attributes that hold the blocks of a node of domain ``prim``, by its operator."""


def blocks_of(node: ir.Node) -> list[ir.Graph]:
    """The blocks of an if or loop that are there, in their order; none of another node."""
    if node.domain != "prim" or node.op_type not in BLOCK_NAMES:
        return []
    found = [_graph_of(node, name) for name in BLOCK_NAMES[node.op_type]]
    return [block for block in found if block is not None]


def _graph_of(node: ir.Node, name: str) -> ir.Graph | None:
    attribute = node.attributes.get(name)
    return (
        attribute.as_graph() if attribute is not None and attribute.type == ir.AttributeType.GRAPH else None
    )


def _constant_faults(node: ir.Node) -> Iterator[str]:
    if len(node.outputs) != 1 or node.inputs:
        yield "a constant has no input and one output"
        return
    try:
        decoded = decode_constant(node)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        yield f"its kind and value disagree: {error}"
        return
    kind = node.attributes.get_string("kind")
    type_ = node.outputs[0].type
    if type_ is not None and (not isinstance(type_, ScalarType) or type_.kind != kind):
        yield f"a constant of kind {kind} has the type {type_text(type_)}"
    if "value" in node.meta:
        kept = node.meta["value"]
        if constant_key(kept) != constant_key(decoded):
            yield f"its attributes say {decoded!r}, but it keeps {kept!r}"
    if isinstance(decoded, int) and not -(2**63) <= decoded < 2**63:
        yield f"the int {decoded} has more than 64 bits"
    if kind == "bool" and node.attributes["value"].as_int() not in (0, 1):
        yield "its kind and value disagree: a bool is 0 or 1"


def _list_faults(node: ir.Node) -> Iterator[str]:
    type_ = node.outputs[0].type if len(node.outputs) == 1 else None
    if not isinstance(type_, ListType):
        yield "one output of a list type is wanted"
        return
    element, none = type_.elem_type, scalar_type("None")
    for position, item in enumerate(node.inputs):
        # Lists of optional tensors hold None beside tensors.
        if item is not None and not agree(item.type, element) and item.type != none:
            yield f"item {position} of a {type_text(type_)} is {typed_text(item)}"


def _tuple_faults(node: ir.Node) -> Iterator[str]:
    type_ = node.outputs[0].type if len(node.outputs) == 1 else None
    if not isinstance(type_, TupleType):
        yield "one output of a tuple type is wanted"
        return
    if len(type_.elements) != len(node.inputs):
        yield f"{len(node.inputs)} items make no {type_text(type_)}"
        return
    for position, (item, element) in enumerate(zip(node.inputs, type_.elements, strict=True)):
        if item is not None and not agree(item.type, element):
            yield f"item {position} of a {type_text(type_)} is {typed_text(item)}"


def _identity_faults(node: ir.Node) -> Iterator[str]:
    if len(node.inputs) != 1 or len(node.outputs) != 1:
        yield "one input and one output are wanted"
        return
    yield from _pair_faults("input and output", node.inputs, node.outputs)


def _pair_faults(
    what: str, ones: Sequence[ir.Value | None], others: Sequence[ir.Value | None]
) -> Iterator[str]:
    if len(ones) != len(others):
        yield f"{what} differ in number: {len(ones)} and {len(others)}"
        return
    for one, other in zip(ones, others, strict=True):
        differ = None if one is None or other is None else disagreement(one, other)
        if differ is not None:
            yield f"{what}: {value_text(one)} and {value_text(other)} are {differ}"


def _if_faults(node: ir.Node) -> Iterator[str]:
    if len(node.inputs) != 1:
        yield f"one input is wanted, the condition; there are {len(node.inputs)}"
    elif node.inputs[0] is not None and not is_bool(node.inputs[0]):
        yield f"the condition is {typed_text(node.inputs[0])}, no bool"
    for name in BLOCK_NAMES["If"]:
        block = _graph_of(node, name)
        if block is None:
            yield f"{name} is missing"
            continue
        if block.inputs:
            yield f"{name} has inputs; it may use outer values"
        yield from _pair_faults(f"outputs of {name} and of the node", block.outputs, node.outputs)


def _loop_faults(node: ir.Node) -> Iterator[str]:
    body, carried = _graph_of(node, "body"), node.attributes.get("carried")
    if body is None or carried is None or carried.type != ir.AttributeType.INT:
        yield "attributes body and carried are wanted"
        return
    count, given = carried.as_int(), node.inputs[2:]
    if len(node.inputs) < 2 or not 0 <= count <= len(given):
        yield f"{len(node.inputs)} inputs are no trip count, condition and {count} carried values"
        return
    trips, condition = node.inputs[:2]
    if trips is not None and trips.type is not None and not is_scalar(trips, "int", "None"):
        yield f"the trip count is {typed_text(trips)}, neither int nor None"
    if condition is not None and not is_bool(condition):
        yield f"the condition is {typed_text(condition)}, no bool"
    if not body.inputs or not is_scalar(body.inputs[0], "int"):
        yield "the body's first input is the iteration, an int"
    if len(body.inputs) != 1 + len(given):
        yield f"the body takes {len(body.inputs)} inputs, not the iteration and {len(given)} values"
        return
    yield from _pair_faults("carried and captured values and the body's inputs", given, body.inputs[1:])
    if len(body.outputs) < 1 + count or not is_bool(body.outputs[0]):
        yield f"the body returns the next condition and {count} carried values"
        return
    inside, returned = body.inputs[1 : 1 + count], body.outputs[1:]
    yield from _pair_faults("the body's carried inputs and outputs", inside, returned[:count])
    if len(returned) != len(node.outputs):
        yield f"the body returns {len(returned)} values and the condition, the node {len(node.outputs)}"
        return
    yield from _pair_faults("the body's carried inputs and the node's outputs", inside, node.outputs[:count])
    yield from _stacked_faults(returned[count:], node.outputs[count:])


def _stacked_faults(slices: Sequence[ir.Value], stacks: Sequence[ir.Value]) -> Iterator[str]:
    for one, stack in zip(slices, stacks, strict=True):
        if one.type is not None and stack.type is not None and not _is_stack(one, stack):
            yield f"{value_text(stack)}: {typed_text(stack)} is no stack of {typed_text(one)}"


def _is_stack(one: ir.Value, stack: ir.Value) -> bool:
    if not is_plain_tensor(one.type) or not agree(one.type, stack.type):
        return False
    return one.shape is None or stack.shape is None or len(stack.shape) == len(one.shape) + 1


STRUCTURAL_FAULTS: Mapping[str, Callable[[ir.Node], Iterable[str]]] = {
    "Constant": _constant_faults,
    "ListConstruct": _list_faults,
    "TupleConstruct": _tuple_faults,
    "Identity": _identity_faults,
    "If": _if_faults,
    "Loop": _loop_faults,
}
"""What is wrong with a node of domain ``prim``, by its operator."""
