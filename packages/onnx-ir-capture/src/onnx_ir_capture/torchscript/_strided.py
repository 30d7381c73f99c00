"""Calls that read a tensor by strides, in traces: only those whose tensor lies in memory as its type says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import onnx_ir as ir
import torch

from onnx_ir_capture.dialect import Aliases, OpName, aliases_of, items_of, known_constant
from onnx_ir_capture.fx._memory_order import ELSEWHERE, PART_OF_OTHER, in_memory_order, memory_order
from onnx_ir_capture.lowering import source_location
from onnx_ir_capture.rules import TRACED_VALUE

if TYPE_CHECKING:
    from onnx_ir_capture.torchscript._graph import ScriptImporter

__all__ = ["import_strided"]

_AS_STRIDED = OpName("aten", "as_strided")


def import_strided(importer: ScriptImporter, node: torch._C.Node) -> bool:
    """Import ``as_strided``, or refuse it."""
    value, *rest = node.inputs()
    kind = value.type()
    sizes = kind.sizes() if isinstance(kind, torch._C.TensorType) else None
    strides = kind.strides() if isinstance(kind, torch._C.TensorType) else None
    order = None if sizes is None or strides is None else memory_order(sizes, strides)
    if order is None:
        importer.refuse(node, ELSEWHERE)
        return True
    tensor, offset = importer.value(value), rest[-1]
    if not (offset.node().mustBeNone() or _is_whole(tensor)):
        importer.refuse(node, PART_OF_OTHER)
        return True
    if len(sizes or ()) > 1 and _fixes_strides(importer, rest[1]):
        importer.diagnostics.report(
            TRACED_VALUE,
            location=source_location(importer.source(node), node.kind()),
            reason="the strides of as_strided are constants, whatever the sizes of its tensor",
        )
    name = importer.unique_name(f"{node.outputsAt(0).debugName()}_memory")
    ordered = in_memory_order(importer.builder, tensor, order, name, importer.source(node))
    inputs = [ordered, *(importer.value(argument) for argument in rest)]
    importer.emit(_AS_STRIDED, inputs, importer.outputs(node), node, Aliases(views=((0, 0),)))
    return True


def _fixes_strides(importer: ScriptImporter, strides: torch._C.Value) -> bool:
    """Whether dimensions are dynamic, and strides, which may stand for some, are not."""
    items = items_of(importer.value(strides)) or ()
    constants = [None if item is None else known_constant(item) for item in items]
    return importer.has_dynamic_inputs and any(isinstance(stride, int) and stride > 1 for stride in constants)


def _is_whole(tensor: ir.Value) -> bool:
    """Whether the tensor has memory of its own, and does not share that of another."""
    made_by = tensor.producer()
    return made_by is None or not aliases_of(made_by).views
