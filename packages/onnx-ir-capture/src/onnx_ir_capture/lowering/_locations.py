"""Dialect sources as locations of diagnostics."""

from __future__ import annotations

import onnx_ir as ir
from onnx_diagnostics import Location

from onnx_ir_capture.dialect import Source, get_source, op_name

__all__ = ["location_of", "source_location"]


def location_of(node: ir.Node) -> Location:
    """The place in the model's source that ``node`` was captured from."""
    return source_location(get_source(node) or Source(), str(op_name(node)))


def source_location(source: Source, op: str | None = None) -> Location:
    """``source`` as a location: the innermost frame is the place."""
    module, class_name = source.module, source.module_class
    if not source.frames:
        return Location.named(module=module, class_name=class_name, op=op)
    frame = source.frames[0]
    return Location.at(
        frame.file, frame.line, module=module, class_name=class_name, function=frame.function or None, op=op
    )
