"""Copies of dialect programs, with the values' correspondence that onnx_ir's own clone does not give."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import onnx_ir as ir

__all__ = ["clone_model", "copy_nodes"]


def clone_model(model: ir.Model) -> tuple[ir.Model, dict[ir.Value, ir.Value]]:
    """Copy a program whose weights stay shared.

    Returns:
        The copy, and for each value of ``model`` the one in the copy. Types, attributes without blocks,
        frozen shapes, what the ``meta`` of nodes holds and tensors are the same objects in both.
    """
    values: dict[ir.Value, ir.Value] = {}
    copy = ir.Model(
        _graph(model.graph, values),
        ir_version=model.ir_version,
        producer_name=model.producer_name,
        producer_version=model.producer_version,
        domain=model.domain,
        model_version=model.model_version,
        doc_string=model.doc_string,
        functions=[function.clone() for function in model.functions.values()],
        metadata_props=dict(model.metadata_props),
    )
    copy.meta.update(model.meta)
    return copy, values


class _Inside(dict[ir.Value, ir.Value]):
    """Values by those that they are copies of; a value from around what is copied stands for itself."""

    def __missing__(self, value: ir.Value) -> ir.Value:
        return value


def copy_nodes(
    graph: ir.Graph, given: Mapping[ir.Value, ir.Value | None], name: Callable[[str], str]
) -> tuple[list[ir.Node], Mapping[ir.Value, ir.Value]]:
    """Copy the nodes of a block.

    Args:
        graph: the block.
        given: what stands for its inputs in the copies.
        name: gives a copied value its name, by that of the original.

    Returns:
        The copies, and what stands in them for a value of the block or of what is around it.
    """
    values = _Inside({value: other for value, other in given.items() if other is not None})
    known = set(values)
    nodes = [_node(node, values) for node in graph]
    for original, copy in values.items():
        if original not in known:
            copy.name = name(str(original.name))
    return nodes, values


def _graph(graph: ir.Graph, values: dict[ir.Value, ir.Value]) -> ir.Graph:
    inputs = _values(graph.inputs, values)
    # An initializer that is an input, too, stays one value.
    initializers = [
        values[weight] if weight in values else _value(weight, values)
        for weight in graph.initializers.values()
    ]
    nodes = [_node(node, values) for node in graph]
    copy = ir.Graph(
        inputs,
        [values[output] for output in graph.outputs],
        nodes=nodes,
        initializers=initializers,
        doc_string=graph.doc_string,
        opset_imports=dict(graph.opset_imports),
        name=graph.name,
        metadata_props=dict(graph.metadata_props),
    )
    copy.meta.update(graph.meta)
    return copy


def _node(node: ir.Node, values: dict[ir.Value, ir.Value]) -> ir.Node:
    attributes = [_attribute(attribute, values) for attribute in node.attributes.values()]
    copy = ir.Node(
        node.domain,
        node.op_type,
        [None if value is None else values[value] for value in node.inputs],
        attributes,
        overload=node.overload,
        outputs=_values(node.outputs, values),
        version=node.version,
        name=node.name,
        doc_string=node.doc_string,
        metadata_props=dict(node.metadata_props) or None,
    )
    if node.meta:
        copy.meta.update(node.meta)
    return copy


def _attribute(attribute: ir.Attr, values: dict[ir.Value, ir.Value]) -> ir.Attr:
    if attribute.type != ir.AttributeType.GRAPH:
        return attribute
    return ir.AttrGraph(attribute.name, _graph(attribute.as_graph(), values))


def _values(originals: Iterable[ir.Value], values: dict[ir.Value, ir.Value]) -> list[ir.Value]:
    return [_value(original, values) for original in originals]


def _value(original: ir.Value, values: dict[ir.Value, ir.Value]) -> ir.Value:
    shape = original.shape
    copy = ir.Value(
        name=original.name,
        type=original.type,
        shape=shape if shape is None or shape.frozen else shape.copy(),
        doc_string=original.doc_string,
        const_value=original.const_value,
        metadata_props=dict(original.metadata_props) or None,
    )
    values[original] = copy
    return copy
