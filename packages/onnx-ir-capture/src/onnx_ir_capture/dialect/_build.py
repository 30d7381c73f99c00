"""Building dialect graphs: calls with their alias marks, lists, tuples, blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import onnx_ir as ir

from onnx_ir_capture.dialect._constants import ConstantValue, constant_key, constant_node
from onnx_ir_capture.dialect._source import Source, set_source
from onnx_ir_capture.dialect._types import ListType, TupleType, common_element, scalar_type, type_text

__all__ = [
    "DIALECT_VERSION",
    "NO_ALIASES",
    "Aliases",
    "GraphBuilder",
    "OpName",
    "alias_attributes",
    "aliases_of",
    "op_name",
]

DIALECT_VERSION = 1
"""Version of the dialect's node forms. A file of another version is refused when it is loaded."""


class OpName(NamedTuple):
    """Name of an operator: ``OpName("aten", "add", "Tensor")`` prints as ``aten::add.Tensor``."""

    domain: str
    name: str
    overload: str = ""

    def __str__(self) -> str:
        suffix = f".{self.overload}" if self.overload else ""
        return f"{self.domain}::{self.name}{suffix}"

    @staticmethod
    def parse(text: str) -> OpName:
        """Read ``aten::add.Tensor``.

        Raises:
            ValueError: the text has no ``::``.
        """
        domain, separator, rest = text.partition("::")
        if not separator or not domain or not rest:
            raise ValueError(f"{text!r} is no operator name; one looks like aten::add.Tensor")
        name, _, overload = rest.partition(".")
        return OpName(domain, name, overload)


class Aliases(NamedTuple):
    """What an operator's schema says of memory.

    ``mutates`` holds the positions of inputs that are written, ``views`` pairs (output, input) that may
    share memory. Both are empty for a call that makes fresh tensors.
    """

    mutates: tuple[int, ...] = ()
    views: tuple[tuple[int, int], ...] = ()


NO_ALIASES = Aliases()
"""Marks of a call that makes fresh tensors."""


def op_name(node: ir.Node) -> OpName:
    """The operator that a node calls."""
    return OpName(node.domain, node.op_type, node.overload)


def aliases_of(node: ir.Node) -> Aliases:
    """The alias marks of a call.

    Raises:
        ValueError: the node has none; the verifier demands them of every call.
    """
    mutates, views = node.attributes.get("mutates"), node.attributes.get("views")
    if mutates is None or views is None:
        raise ValueError(f"node {node.name} ({op_name(node)}) has no alias marks")
    flat = list(views.as_ints())
    return Aliases(tuple(mutates.as_ints()), tuple(zip(flat[::2], flat[1::2], strict=True)))


def alias_attributes(aliases: Aliases) -> list[ir.Attr]:
    """The attributes that carry the marks; :func:`aliases_of` reads them."""
    flat = [position for pair in aliases.views for position in pair]
    return [ir.AttrInt64s("mutates", list(aliases.mutates)), ir.AttrInt64s("views", flat)]


class GraphBuilder:
    """Appends dialect nodes to one graph; constants are shared within it.

    Args:
        graph: what it appends to.
        new_name: gives a name that no value has, for constants, lists and tuples; without it the graph names
            them, which knows nothing of the names in other blocks.
    """

    def __init__(self, graph: ir.Graph, new_name: Callable[[str], str] | None = None) -> None:
        self.graph = graph
        self._new_name = new_name
        self._constants: dict[tuple[str, str], ir.Value] = {}

    def constant(self, value: ConstantValue) -> ir.Value:
        """The ``prim::Constant`` of ``value``."""
        key = constant_key(value)
        if key not in self._constants:
            node = constant_node(value, self._name("const"))
            self.graph.append(node)
            self._constants[key] = node.outputs[0]
        return self._constants[key]

    def list(self, items: Sequence[ir.Value], element: ir.TypeProtocol | None = None) -> ir.Value:
        """A ``prim::ListConstruct`` of ``items``.

        All are of type ``element``, or None. Without ``element`` it follows from the items; tensors of
        several dtypes make a list of tensors of unknown dtype.

        Raises:
            ValueError: it does not follow: there are no items but None, or they have no type in common.
        """
        element = element or common_element(item.type for item in items)
        if element is None:
            texts = ", ".join(type_text(item.type) for item in items)
            raise ValueError(f"the items [{texts}] do not tell the type of their list; pass it as element")
        return self._construct("ListConstruct", items, ListType(element))

    def tuple(self, items: Sequence[ir.Value]) -> ir.Value:
        """A ``prim::TupleConstruct`` of ``items``."""
        types = [item.type or scalar_type("None") for item in items]
        return self._construct("TupleConstruct", items, TupleType(types))

    def identity(self, value: ir.Value, name: str | None = None) -> ir.Value:
        """A ``prim::Identity``: how a block returns a value that it did not define."""
        output = ir.Value(name=name or self._name("same"), type=value.type, shape=value.shape)
        self.graph.append(ir.Node("prim", "Identity", [value], outputs=[output]))
        return output

    def call(
        self,
        op: OpName,
        inputs: Sequence[ir.Value],
        outputs: Sequence[ir.Value],
        aliases: Aliases = NO_ALIASES,
        source: Source | None = None,
    ) -> ir.Node:
        """A call of ``op`` with one input per schema argument."""
        attributes = alias_attributes(aliases)
        node = ir.Node(op.domain, op.name, inputs, attributes, overload=op.overload, outputs=outputs)
        if source is not None:
            set_source(node, source)
        self.graph.append(node)
        return node

    def branch(
        self,
        condition: ir.Value,
        then_block: ir.Graph,
        else_block: ir.Graph,
        outputs: Sequence[ir.Value],
        source: Source | None = None,
    ) -> ir.Node:
        """A ``prim::If``; ``condition`` is a bool, or a 0-d bool tensor.

        The blocks have no inputs and as many outputs as the node, and may use outer values.
        """
        attributes = [ir.AttrGraph("then_branch", then_block), ir.AttrGraph("else_branch", else_block)]
        return self._block_node("If", [condition], attributes, outputs, source)

    def loop(
        self,
        trip_count: ir.Value,
        condition: ir.Value,
        carried: Sequence[ir.Value],
        captured: Sequence[ir.Value],
        body: ir.Graph,
        outputs: Sequence[ir.Value],
        source: Source | None = None,
    ) -> ir.Node:
        """A ``prim::Loop`` that runs while the condition holds, at most ``trip_count`` times.

        Node inputs are trip count, condition, carried and captured values. The body's inputs are the
        iteration (int), the carried and the captured values; its outputs the next condition, the next
        carried values, and one value per stacked output. Node outputs are the last carried values, then
        the stacked ones with a new first dimension. ``trip_count`` None means no bound.
        """
        attributes = [ir.AttrGraph("body", body), ir.AttrInt64("carried", len(carried))]
        return self._block_node(
            "Loop", [trip_count, condition, *carried, *captured], attributes, outputs, source
        )

    def _construct(self, kind: str, items: Sequence[ir.Value], type_: ir.TypeProtocol) -> ir.Value:
        output = ir.Value(name=self._name("items"), type=type_)
        self.graph.append(ir.Node("prim", kind, items, outputs=[output]))
        return output

    def _name(self, stem: str) -> str | None:
        return None if self._new_name is None else self._new_name(stem)

    def _block_node(
        self,
        kind: str,
        inputs: Sequence[ir.Value],
        attributes: Sequence[ir.Attr],
        outputs: Sequence[ir.Value],
        source: Source | None,
    ) -> ir.Node:
        node = ir.Node("prim", kind, inputs, attributes, outputs=outputs)
        if source is not None:
            set_source(node, source)
        self.graph.append(node)
        return node
