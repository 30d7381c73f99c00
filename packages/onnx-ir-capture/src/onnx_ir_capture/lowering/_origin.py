"""Writes on ONNX nodes and values where they came from, and the shapes that the capture knows."""

from __future__ import annotations

import os
from collections.abc import Sequence

import onnx_ir as ir

from onnx_ir_capture.dialect import get_source, op_name
from onnx_ir_capture.lowering._locations import model_frame

__all__ = ["write_origin", "write_place"]


def write_origin(node: ir.Node, created: Sequence[ir.Node], results: Sequence[ir.Value]) -> None:
    """Name the outputs of ``created`` after the captured call ``node``, and note its module and line.

    The captured shapes, with the dimensions' names, replace the inferred ones. A result that an earlier
    call made (the translation of a no-op returns its input) is left alone.
    """
    write_place(node, created)
    own = {id(output) for made in created for output in made.outputs}
    for value, result in zip(node.outputs, results, strict=True):
        if id(result) not in own:
            continue
        own.discard(id(result))
        result.meta["torch.name"] = value.name
        if value.shape is not None and not isinstance(result.type, ir.SequenceType):
            result.shape = value.shape.copy()


def write_place(node: ir.Node, created: Sequence[ir.Node]) -> None:
    """Note on ``created`` the operator, module and line of the captured call ``node``."""
    source = get_source(node)
    for made in created:
        made.metadata_props["pkg.torch.op"] = str(op_name(node))
        if source is None:
            continue
        made.metadata_props["namespace"] = source.module
        frame = model_frame(source)
        if frame is not None:
            # The folder stays out: it is the exporting machine's own business.
            made.metadata_props["pkg.torch.source"] = f"{os.path.basename(frame.file)}:{frame.line}"
