"""What scripted code returns, as outputs of a graph and in the structure that Python sees."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import onnx_ir as ir
import torch
from torch.utils import _pytree as pytree

from onnx_ir_capture.dialect import (
    Aliases,
    ConstantValue,
    ListType,
    OpName,
    TupleType,
    aliases_of,
    constant_value,
    is_constant,
    is_plain_tensor,
    items_of,
)
from onnx_ir_capture.program import OutputSpec
from onnx_ir_capture.torchscript._graph import ScriptImporter

__all__ = ["import_results"]


@dataclasses.dataclass
class _Result:
    """A leaf: a value of the graph, or a literal."""

    value: ir.Value | None
    literal: ConstantValue = None


def import_results(
    importer: ScriptImporter, graph: ir.Graph, outputs: list[torch._C.Value]
) -> tuple[tuple[OutputSpec, ...], pytree.TreeSpec]:
    """Make the results outputs of ``graph``.

    Args:
        importer: has imported the nodes.
        graph: gets the outputs.
        outputs: what the TorchScript graph returns.

    Returns:
        A spec for each leaf of the result, and the structure around the leaves.
    """
    whole = [
        _dict(importer, output)
        if output.debugName() in importer.dicts
        else _structure(importer, importer.value(output))
        for output in outputs
    ]
    leaves, tree = pytree.tree_flatten(whole[0] if len(whole) == 1 else tuple(whole))
    return tuple(_specs(importer, graph, leaves)), tree


def _dict(importer: ScriptImporter, output: torch._C.Value) -> object:
    items = importer.dicts[output.debugName()]
    return {key: _structure(importer, value) for key, value in items.items()}


def _structure(importer: ScriptImporter, value: ir.Value) -> object:
    if is_constant(value):
        return _Result(value, constant_value(value))
    if isinstance(value.type, TupleType):
        return tuple(_structure(importer, item) for item in _items(importer, value, value.type))
    items = items_of(value) if isinstance(value.type, ListType) and not _is_written(value) else None
    if items is not None:
        return [_structure(importer, item) for item in items if item is not None]
    return _Result(value)


def _items(importer: ScriptImporter, value: ir.Value, type_: TupleType) -> list[ir.Value]:
    items = items_of(value)
    if items is not None:
        return [item for item in items if item is not None]
    outputs = [
        ir.Value(
            name=importer.unique_name(f"{value.name}_{position}"),
            type=element,
            shape=None
            if is_plain_tensor(element) or not isinstance(element, ir.TensorType)
            else ir.Shape(()),
        )
        for position, element in enumerate(type_.elements)
    ]
    views = tuple((position, 0) for position in range(len(outputs)))
    importer.builder.call(OpName("prim", "TupleUnpack"), [value], outputs, Aliases(views=views))
    return outputs


def _is_written(value: ir.Value) -> bool:
    return any(
        use.idx in aliases_of(use.node).mutates for use in value.uses() if "mutates" in use.node.attributes
    )


def _specs(importer: ScriptImporter, graph: ir.Graph, leaves: list[object]) -> Iterator[OutputSpec]:
    for leaf in leaves:
        if not isinstance(leaf, _Result) or leaf.value is None:
            yield OutputSpec(None, None)
            continue
        if is_constant(leaf.value) and (leaf.literal is None or isinstance(leaf.literal, str)):
            yield OutputSpec(None, leaf.literal)
            continue
        value = importer.as_output(leaf.value)
        graph.outputs.append(value)
        yield OutputSpec(value)
