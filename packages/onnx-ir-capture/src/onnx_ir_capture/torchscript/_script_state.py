"""Attributes that scripted code sets: weights of the graph, with the value that a run leaves in them."""

from __future__ import annotations

from collections.abc import Iterator

import onnx_ir as ir
import torch

from onnx_ir_capture.dialect import Aliases, OpName, ScalarType, scalar_type
from onnx_ir_capture.lowering import source_location
from onnx_ir_capture.rules import ATTRIBUTE_DROPPED
from onnx_ir_capture.torchscript._attributes import AttributePath, attribute_at, path_of, written_attributes
from onnx_ir_capture.torchscript._graph import ScriptImporter
from onnx_ir_capture.torchscript._numbers import SCALAR_TENSOR, tensor_arguments

__all__ = ["begin_state", "end_state", "has_moving_state"]

_SET = OpName("prim", "SetAttr")
_ITEM = OpName("aten", "item")
_DTYPES = {bool: torch.bool, int: torch.int64, float: torch.float64}


def begin_state(
    importer: ScriptImporter, graph: torch._C.Graph, module: torch._C.ScriptModule
) -> dict[AttributePath, ir.Value]:
    """Make a weight of every attribute that the graph sets; a number is taken out of its weight.

    What is no tensor and no number is reported: as an error where the graph reads it.
    """
    weights: dict[AttributePath, ir.Value] = {}
    reads = set(_read_attributes(graph))
    for path, node in written_attributes(graph):
        if path in weights:
            continue
        found, name = attribute_at(module, path), ".".join(path)
        if isinstance(found, torch.Tensor):
            weights[path] = importer.cells[path] = importer.own_weight(found, name)
        elif type(found) in _DTYPES:
            tensor = torch.tensor(found, dtype=_DTYPES[type(found)])
            weights[path] = importer.own_weight(tensor, name)
            importer.cells[path] = _number(importer, weights[path], type(found).__name__)
        elif path in reads:
            importer.refuse(
                node, f"the attribute {name} is a {type(found).__name__}, and the model changes it"
            )
        else:
            source = importer.source(node)
            importer.diagnostics.report(
                ATTRIBUTE_DROPPED, location=source_location(source, node.kind()), name=name
            )
    return weights


def end_state(importer: ScriptImporter, weights: dict[AttributePath, ir.Value]) -> None:
    """Say what the graph leaves in the attributes that it sets."""
    for path, weight in weights.items():
        final = importer.cells[path]
        if final is weight:
            continue
        if isinstance(final.type, ScalarType):
            output = ir.Value(
                name=importer.unique_name(f"{weight.name}_after"), type=weight.type, shape=ir.Shape(())
            )
            importer.builder.call(SCALAR_TENSOR, tensor_arguments(importer, final), [output])
            final = output
        importer.builder.call(_SET, [weight, final], [], Aliases(mutates=(0,)))


def has_moving_state(graph: ir.Graph) -> bool:
    """Whether a graph leaves anything in attributes."""
    return any(node.domain == "prim" and node.op_type == "SetAttr" for node in graph)


def _number(importer: ScriptImporter, weight: ir.Value, kind: str) -> ir.Value:
    number = ir.Value(
        name=importer.unique_name(f"{weight.name}_number"), type=scalar_type(kind), shape=ir.Shape(())
    )
    importer.builder.call(_ITEM, [weight], [number])
    return number


def _read_attributes(block: torch._C.Graph | torch._C.Block) -> Iterator[AttributePath]:
    for node in block.nodes():
        if node.kind() == "prim::GetAttr":
            path = path_of(node.outputsAt(0))
            if path is not None:
                yield path
        for inner in node.blocks():
            yield from _read_attributes(inner)
