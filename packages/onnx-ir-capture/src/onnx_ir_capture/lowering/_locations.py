"""Dialect sources as locations of diagnostics."""

from __future__ import annotations

import re

import onnx_ir as ir

from onnx_diagnostics import Location
from onnx_ir_capture.dialect import Frame, Source, get_source, op_name

__all__ = ["call_stack", "location_of", "model_frame", "source_location"]

# Told from the path, because this layer knows no torch.
_TORCH_FILE = re.compile(r"[/\\](site|dist)-packages[/\\]torch[/\\]")

# Through these every call goes, so that they tell nothing of the way to one.
_CALLING = re.compile(rf"{_TORCH_FILE.pattern}(_ops|jit[/\\]_trace|nn[/\\]modules[/\\]module)\.py$")

# Code of TorchScript in an archive.
_ARCHIVED = re.compile(r"(^|[/\\])code/__torch__(/|\.py$)")


def location_of(node: ir.Node) -> Location:
    """The place in the model's source that ``node`` was captured from."""
    return source_location(get_source(node) or Source(), str(op_name(node)))


def source_location(source: Source, op: str | None = None) -> Location:
    """``source`` as a location; its place is the innermost line outside of torch's own library."""
    module, class_name = source.module, source.module_class
    frame = model_frame(source)
    if frame is None:
        return Location.named(module=module, class_name=class_name, op=op)
    return Location.at(
        frame.file, frame.line, module=module, class_name=class_name, function=frame.function or None, op=op
    )


def call_stack(node: ir.Node) -> tuple[Location, ...]:
    """The other lines that led to the call ``node``, innermost first, without torch's own steps of a call."""
    source = get_source(node) or Source()
    place = model_frame(source)
    return tuple(
        Location.at(frame.file, frame.line, function=frame.function or None, message=_relation(frame))
        for frame in source.frames
        if frame is not place and not _CALLING.search(frame.file)
    )


def _relation(frame: Frame) -> str:
    return "in the archive" if _ARCHIVED.search(frame.file) else "called by way of"


def model_frame(source: Source) -> Frame | None:
    """The line of the model itself: the innermost one that is not torch's, or the innermost of all."""
    outside = (frame for frame in source.frames if not _TORCH_FILE.search(frame.file))
    return next(outside, source.frames[0] if source.frames else None)
