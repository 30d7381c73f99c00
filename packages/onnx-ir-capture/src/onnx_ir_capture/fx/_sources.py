"""Where an FX node came from: stack trace and module stack, parsed once per distinct text."""

from __future__ import annotations

import functools
import re

import torch

from onnx_ir_capture.dialect import Frame, ModuleCall, Source
from onnx_ir_capture.fx._callables import Function

__all__ = ["source_of"]

# Torch puts this in the stack of nodes that it made itself, of sizes above all.
_NO_MODULE = "_empty_nn_module_stack_from_metadata_hook"

_ROOT = re.compile(r"^_export_root(\.|$)")

_FRAME = re.compile(r'^\s*File "(?P<file>.+)", line (?P<line>\d+)(?:, in (?P<function>\S+))?')

# Files of code that torch generates, such as the bodies of control flow: nobody can open them.
_FUNCTION = f"{Function.__module__}.{Function.__qualname__}"
_GENERATED = "<eval_with_key>"


def source_of(node: torch.fx.Node, caller: Source | None = None) -> Source:
    """The innermost frames and the module of ``node``; those of ``caller`` where it has none."""
    trace = node.meta.get("stack_trace")
    stack = node.meta.get("nn_module_stack") or {}
    module, module_class = "", ""
    calls: tuple[ModuleCall, ...] = ()
    if stack and _NO_MODULE not in stack:
        path, cls = list(stack.values())[-1]
        module, module_class = _module_path(path), cls if isinstance(cls, str) else cls.__qualname__
        # The class that a function is wrapped in is none of the user's.
        module_class = "" if module_class == _FUNCTION else module_class
        calls = _calls(tuple((key, path, _class_name(cls)) for key, (path, cls) in stack.items()))
    frames = _frames(trace) if isinstance(trace, str) else ()
    if caller is not None:
        frames = frames or caller.frames
        if not stack:
            module, module_class, calls = caller.module, caller.module_class, caller.calls
    return Source(frames=frames, module=module, module_class=module_class, name=node.name, calls=calls)


@functools.lru_cache(maxsize=4096)
def _calls(stack: tuple[tuple[str, str, str], ...]) -> tuple[ModuleCall, ...]:
    """The calls of a module stack, given as keys, paths and classes, but for that of the model itself."""
    found = []
    for key, path, class_name in stack:
        _, _, number = key.partition("@")
        module = _module_path(path)
        if module:
            found.append(ModuleCall(module, class_name, int(number) if number.isdigit() else 0))
    return tuple(found)


def _class_name(cls: str | type) -> str:
    return cls if isinstance(cls, str) else f"{cls.__module__}.{cls.__qualname__}"


@functools.lru_cache(maxsize=4096)
def _frames(trace: str) -> tuple[Frame, ...]:
    """Frames of a stack trace, which torch writes with the innermost last."""
    found = [
        Frame(match["file"], int(match["line"]), match["function"] or "")
        for line in trace.splitlines()
        if (match := _FRAME.match(line)) and not match["file"].startswith(_GENERATED)
    ]
    return tuple(reversed(found))


def _module_path(path: str) -> str:
    """The path as in ``named_modules()``.

    Torch marks repeated calls of one module with ``@1``, and calls the model ``_export_root`` where it traced
    bytecode.
    """
    return _ROOT.sub("", path.split("@")[0])
