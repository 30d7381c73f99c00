"""Calls that read a tensor by strides, in traces: only those whose tensor lies in memory as its type says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import onnx_ir as ir
import torch

from onnx_ir_capture.dialect import Aliases, OpName, aliases_of
from onnx_ir_capture.fx._memory_order import ELSEWHERE, PART_OF_OTHER, in_memory_order, memory_order

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
    name = importer.unique_name(f"{node.outputsAt(0).debugName()}_memory")
    ordered = in_memory_order(importer.builder, tensor, order, name, importer.source(node))
    inputs = [ordered, *(importer.value(argument) for argument in rest)]
    importer.emit(_AS_STRIDED, inputs, importer.outputs(node), node, Aliases(views=((0, 0),)))
    return True


def _is_whole(tensor: ir.Value) -> bool:
    """Whether the tensor has memory of its own, and does not share that of another."""
    made_by = tensor.producer()
    return made_by is None or not aliases_of(made_by).views
