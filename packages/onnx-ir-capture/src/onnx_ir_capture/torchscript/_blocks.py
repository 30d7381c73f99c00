"""TorchScript's If and Loop with what they change of the model's attributes as further results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import onnx_ir as ir
import torch

from onnx_ir_capture.dialect import ScalarType, is_plain_tensor
from onnx_ir_capture.torchscript._attributes import AttributePath, written_attributes

if TYPE_CHECKING:
    from onnx_ir_capture.torchscript._graph import ScriptImporter

__all__ = ["import_branch", "import_loop"]


def import_branch(importer: ScriptImporter, node: torch._C.Node) -> None:
    """Import a ``prim::If``; an attribute that a branch sets is what the branch leaves in it afterwards."""
    condition = importer.value(node.inputsAt(0))
    parts = [
        _block(importer, block, name) for block, name in zip(node.blocks(), ("then", "else"), strict=True)
    ]
    changed = [
        path
        for path, cell in importer.cells.items()
        if any(inner.cells[path] is not cell for inner, _ in parts)
    ]
    graphs = []
    for inner, results in parts:
        _return(inner, [*results, *(inner.cells[path] for path in changed)])
        graphs.append(inner.builder.graph)
    outputs = importer.outputs(node) + [_new_cell(importer, path) for path in changed]
    importer.builder.branch(condition, graphs[0], graphs[1], outputs, importer.source(node))


def import_loop(importer: ScriptImporter, node: torch._C.Node) -> None:
    """Import a ``prim::Loop``; an attribute that its body sets is a further carried value."""
    trips, condition, *carried = (importer.value(value) for value in node.inputs())
    block = next(iter(node.blocks()))
    changed = [
        path
        for path in dict.fromkeys(path for path, _ in written_attributes(block))
        if path in importer.cells
    ]
    carried += [importer.cells[path] for path in changed]
    graph = ir.Graph([], [], nodes=[], name=importer.unique_name("body"))
    inner = importer.inner(graph)
    for parameter in block.inputs():
        graph.inputs.append(inner.output(parameter))
    for path in changed:
        graph.inputs.append(_new_cell(inner, path))
    results = inner.run(block)
    _return(inner, [*results, *(inner.cells[path] for path in changed)])
    outputs = importer.outputs(node) + [_new_cell(importer, path) for path in changed]
    importer.builder.loop(trips, condition, carried, [], graph, outputs, importer.source(node))


def _block(
    importer: ScriptImporter, block: torch._C.Block, name: str
) -> tuple[ScriptImporter, list[ir.Value]]:
    graph = ir.Graph([], [], nodes=[], name=importer.unique_name(name))
    inner = importer.inner(graph)
    return inner, inner.run(block)


def _return(inner: ScriptImporter, results: Sequence[ir.Value]) -> None:
    """Let the block return values; of one that it does not compute, or returns already, a copy."""
    graph = inner.builder.graph
    for result in results:
        own = result.graph is graph and result not in graph.inputs and result not in graph.outputs
        graph.outputs.append(result if own else inner.builder.identity(result))


def _new_cell(importer: ScriptImporter, path: AttributePath) -> ir.Value:
    """A value that an attribute holds after a block, of the same kind as before."""
    before = importer.cells[path]
    is_number = isinstance(before.type, ScalarType)
    kind = ir.TensorType(ir.DataType.UNDEFINED) if is_plain_tensor(before.type) else before.type
    shape = ir.Shape(()) if is_number else None
    importer.cells[path] = ir.Value(name=importer.unique_name(f"{path[-1]}_now"), type=kind, shape=shape)
    return importer.cells[path]
