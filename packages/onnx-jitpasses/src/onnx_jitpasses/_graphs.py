"""Walking dialect graphs with the blocks inside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import onnx_ir as ir

from onnx_ir_capture.dialect import Aliases, blocks_of, is_plain_tensor, items_of
from onnx_jitpasses._words import words

__all__ = [
    "all_nodes",
    "all_values",
    "changes_shapes",
    "has_writes",
    "is_written",
    "leaves",
    "mutated",
    "set_aliases",
    "source_of",
    "viewed",
]

_NONE: tuple[int, ...] = ()

# In-place operators after which the tensor they write has another shape than its value notes.
_SHAPE_WRITERS = words(
    """
    _resize_output_ as_strided_ resize_ resize_as_ set_ squeeze_ swapaxes_ swapdims_ t_ transpose_ unsqueeze_
    """
)


def all_nodes(graph: ir.Graph) -> Iterator[ir.Node]:
    """Every node, those of a block right after the node that holds the block."""
    for node in graph:
        yield node
        # Every pass walks here, and few nodes are of this domain.
        if node.domain == "prim":
            for block in blocks_of(node):
                yield from all_nodes(block)


def all_values(graph: ir.Graph) -> Iterator[ir.Value]:
    """Every value that the graph or a block in it defines."""
    yield from graph.inputs
    yield from graph.initializers.values()
    for node in graph:
        yield from node.outputs
        for block in blocks_of(node):
            yield from all_values(block)


def mutated(node: ir.Node) -> tuple[int, ...]:
    """Positions of the inputs that the node's marks say are written."""
    attribute = node.attributes.get("mutates")
    return _NONE if attribute is None or not attribute.value else tuple(attribute.as_ints())


def viewed(node: ir.Node) -> list[tuple[int, int]]:
    """Pairs of output and input that the node's marks say may share memory."""
    attribute = node.attributes.get("views")
    if attribute is None or not attribute.value:
        return []
    flat = attribute.as_ints()
    return list(zip(flat[::2], flat[1::2], strict=True))


def has_writes(graph: ir.Graph) -> bool:
    """Whether a node of the graph or of a block in it writes an input in place."""
    return any(mutated(node) for node in all_nodes(graph))


def is_written(value: ir.Value) -> bool:
    """Whether a node's marks say that it writes the value."""
    return any(use.idx in mutated(use.node) for use in value.uses())


def changes_shapes(node: ir.Node) -> bool:
    """Whether the node gives a tensor, under every name that it has, another shape."""
    return node.domain == "aten" and node.op_type in _SHAPE_WRITERS


def set_aliases(node: ir.Node, aliases: Aliases) -> bool:
    """Mark what the node writes and views; return whether its marks said something else."""
    is_marked = "mutates" in node.attributes and "views" in node.attributes
    if is_marked and mutated(node) == aliases.mutates and tuple(viewed(node)) == aliases.views:
        return False
    node.attributes.add(ir.AttrInt64s("mutates", aliases.mutates))
    node.attributes.add(ir.AttrInt64s("views", [position for pair in aliases.views for position in pair]))
    return True


def leaves(values: Iterable[ir.Value | None]) -> Iterator[ir.Value]:
    """The tensors among the values, those in lists and tuples too."""
    for value in values:
        if value is None:
            continue
        items = items_of(value)
        if items is not None:
            yield from leaves(items)
        elif is_plain_tensor(value.type):
            yield value


def source_of(value: ir.Value | None) -> ir.Value | None:
    """What a value is an identity of, or the value."""
    node = None if value is None else value.producer()
    while node is not None and node.domain == "prim" and node.op_type == "Identity":
        value = node.inputs[0]
        node = None if value is None else value.producer()
    return value
