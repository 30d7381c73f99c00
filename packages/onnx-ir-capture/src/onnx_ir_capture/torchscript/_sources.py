"""Where a node of a TorchScript graph came from."""

from __future__ import annotations

import functools
import itertools
import re

import torch

from onnx_ir_capture.dialect import Frame, Source
from onnx_ir_capture.torchscript._tracing import TRACING_FILE

__all__ = ["source_of"]

# A trace has its whole call stack, innermost first: "/a/b.py(12): forward".
_TRACED = re.compile(r"^(?P<file>.+)\((?P<line>\d+)\): (?P<function>\S+)$", re.MULTILINE)

# A script has the frames that are left after inlining, with an excerpt of each.
_SCRIPTED = re.compile(
    r'^\s*File "(?P<file>.+)", line (?P<line>\d+)(?:, in (?P<function>\S+))?', re.MULTILINE
)

# "__module.encoder.layer" in the scopes of a trace; "encoder(Encoder).layer(Layer)" in those of a script.
_SCOPE_PREFIX = "__module."
_SCRIPT_SCOPE = re.compile(r"(?P<name>[^.()]+)\((?P<class_name>[^()]*)\)")


def source_of(node: torch._C.Node, wrapper: str = "") -> Source:
    """The frames and the module of a node.

    Args:
        node: of a traced or scripted graph.
        wrapper: name of the attribute that holds the model where the graph is that of a module around it.
    """
    module, module_class = _module(node, wrapper)
    name = next((output.debugName() for output in node.outputs()), "")
    return Source(
        frames=_frames(str(node.sourceRange())), module=module, module_class=module_class, name=name
    )


@functools.lru_cache(maxsize=4096)
def _frames(text: str) -> tuple[Frame, ...]:
    pattern = _SCRIPTED if 'File "' in text else _TRACED
    frames = (
        Frame(match["file"], int(match["line"]), match["function"] or "") for match in pattern.finditer(text)
    )
    # What stands around the call of the model is none of its own lines.
    return tuple(itertools.takewhile(lambda frame: frame.file != TRACING_FILE, frames))


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
