"""The pass :class:`CommonSubexpressions`."""

from __future__ import annotations

from collections.abc import Hashable

import onnx_ir as ir

from onnx_ir_capture.dialect import blocks_of, constant_key, constant_value, get_source, is_constant, is_pure
from onnx_jitpasses._base import DialectPass, Guarantee
from onnx_jitpasses._edit import make_identity

__all__ = ["CommonSubexpressions"]

_Known = dict[Hashable, ir.Node]


class CommonSubexpressions(DialectPass):
    """Merges equal constants, equal lists and equal pure calls with one output.

    A block uses what the blocks around it have computed. Constants are equal only if their kinds are: 1, 1.0
    and True are three. Calls whose results were captured with different shapes or types stay apart. Needs a
    program without in-place writes, since two equal fresh tensors are not one if the first is written later.

    Args:
        modules_apart: merge calls only within one call of a module.
    """

    needs = frozenset([Guarantee.NO_WRITES])

    def __init__(self, *, modules_apart: bool = False) -> None:
        super().__init__()
        self._modules_apart = modules_apart

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Change the model."""
        return ir.passes.PassResult(model, modified=_merge(model.graph, {}, self._modules_apart))


def _merge(graph: ir.Graph, outer: _Known, modules_apart: bool) -> bool:
    known = dict(outer)
    modified = False
    for node in graph:
        for block in blocks_of(node):
            modified |= _merge(block, known, modules_apart)
        key = _key(node)
        if key is None:
            continue
        source = get_source(node)
        if modules_apart and source is not None and not is_constant(node.outputs[0]):
            key = (key, source.calls)
        first = known.setdefault(key, node)
        if first is not node and _may_merge(first, node):
            make_identity(node, first.outputs[0])
            modified = True
    return modified


def _may_merge(first: ir.Node, node: ir.Node) -> bool:
    one, other = first.outputs[0], node.outputs[0]
    if other.is_graph_output() or one.type != other.type or one.shape != other.shape:
        return False
    return is_constant(other) or is_pure(node)


def _key(node: ir.Node) -> Hashable | None:
    """Equal for two nodes that compute the same if they are pure; None for one that must stay."""
    if len(node.outputs) != 1 or blocks_of(node):
        return None
    if is_constant(node.outputs[0]):
        return constant_key(constant_value(node.outputs[0]))
    # Alias marks follow from the operator and its arguments.
    attributes = tuple(
        (name, attribute.type, str(attribute.value))
        for name, attribute in node.attributes.items()
        if name not in ("mutates", "views")
    )
    return node.domain, node.op_type, node.overload, node.inputs, attributes
