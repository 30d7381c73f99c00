"""Where a node of a TorchScript graph came from."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import os
import re
from collections.abc import Iterator

import torch

from onnx_ir_capture.dialect import Frame, Source
from onnx_ir_capture.fx import _callables
from onnx_ir_capture.lowering import model_frame
from onnx_ir_capture.torchscript._tracing import TRACING_FILE

__all__ = ["source_of"]

# A trace has its whole call stack, innermost first: "/a/b.py(12): forward".
_TRACED = re.compile(r"^(?P<file>.+)\((?P<line>\d+)\): (?P<function>\S+)$", re.MULTILINE)

# A script has the frames that are left after inlining, with an excerpt of each.
_SCRIPTED = re.compile(
    r'^\s*File "(?P<file>.+)", line (?P<line>\d+)(?:, in (?P<function>\S+))?', re.MULTILINE
)

# What was read from an archive has its place there, too: after the source that it was saved from, or alone.
_SAVED = "Serialized"
_ARCHIVED_CODE = "code/__torch__"

# What is traced is called from here: the tracer, and the module around a function.
_CALLING_FILES = (TRACING_FILE, _callables.__file__)

# "__module.encoder.layer" in the scopes of a trace; "encoder(Encoder).layer(Layer)" in those of a script.
_SCOPE_PREFIX = "__module."
_SCRIPT_SCOPE = re.compile(r"(?P<name>[^.()]+)\((?P<class_name>[^()]*)\)")


def source_of(node: torch._C.Node, wrapper: str = "", archive: str = "") -> Source:
    """The frames and the module of a node.

    Args:
        node: of a traced or scripted graph.
        wrapper: name of the attribute that holds the model where the graph is that of a module around it.
        archive: the file that the graph was read from.
    """
    module, module_class = _module(node, wrapper)
    name = next((output.debugName() for output in node.outputs()), "")
    frames = _frames(str(node.sourceRange()), archive)
    return Source(frames=frames, module=module, module_class=module_class, name=name)


@functools.lru_cache(maxsize=4096)
def _frames(text: str, archive: str) -> tuple[Frame, ...]:
    written, _, saved = text.partition(_SAVED)
    traced = tuple(_matched(_TRACED, written))
    # What stands around the call of the model is none of its own lines.
    own = tuple(itertools.takewhile(lambda frame: frame.file not in _CALLING_FILES, traced))
    own = own if traced else tuple(_matched(_SCRIPTED, written))
    archived = tuple(_matched(_SCRIPTED, saved))
    if archive:
        own, archived = _inside(archive, own), _inside(archive, archived)
    written_at = model_frame(Source(frames=own))
    is_here = written_at is not None and os.path.isfile(written_at.file)
    return own + archived if is_here else archived + own


def _inside(archive: str, frames: tuple[Frame, ...]) -> tuple[Frame, ...]:
    """The frames, with whole paths of those that are code in the archive."""
    return tuple(
        dataclasses.replace(frame, file=os.path.join(archive, frame.file))
        if frame.file.startswith(_ARCHIVED_CODE)
        else frame
        for frame in frames
    )


def _matched(pattern: re.Pattern[str], text: str) -> Iterator[Frame]:
    return (
        Frame(match["file"], int(match["line"]), match["function"] or "") for match in pattern.finditer(text)
    )


def _module(node: torch._C.Node, wrapper: str) -> tuple[str, str]:
    scope = node.scopeName().rpartition("/")[2]
    module_class = ""
    hierarchy = [
        (match["name"], match["class_name"]) for match in _SCRIPT_SCOPE.finditer(node.getModuleHierarchy())
    ]
    if hierarchy:
        module_class = hierarchy[-1][1]
    path = scope.removeprefix(_SCOPE_PREFIX) if scope else ".".join(name for name, _ in hierarchy)
    if wrapper and (path == wrapper or path.startswith(f"{wrapper}.")):
        path = path[len(wrapper) + 1 :]
    return path, module_class
