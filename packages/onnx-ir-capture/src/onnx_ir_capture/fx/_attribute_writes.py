"""What a model sets of its own attributes while it is captured, which no graph keeps."""

from __future__ import annotations

import contextlib
import contextvars
import inspect
import re
import sys
from collections.abc import Callable, Iterator

import torch

from onnx_diagnostics import DiagnosticContext, Level, Location
from onnx_ir_capture.fx._before_capture import definition_of
from onnx_ir_capture.fx._held_containers import HeldContainers, own_attributes
from onnx_ir_capture.fx._replaced import changed_while_capturing, is_captured_here
from onnx_ir_capture.fx._tracing import is_model_file
from onnx_ir_capture.rules import ATTRIBUTE_DROPPED

__all__ = ["attribute_writes_told"]

_Writes = dict[tuple[torch.nn.Module, str], tuple[Location | None, bool]]

_CHANGES = (
    r"\.{name}\b.*(\.(append|appendleft|extend|insert|add|update|clear|pop|popleft|popitem|remove|discard|"
    r"setdefault|reverse|sort)\(|\][^=]?=(?!=))|\bdel\b.*\.{name}\b"
)

_noted: contextvars.ContextVar[_Writes | None] = contextvars.ContextVar(
    "onnx_ir_capture.attribute_writes", default=None
)
_ABSENT = object()


@contextlib.contextmanager
def attribute_writes_told(model: torch.nn.Module, diagnostics: DiagnosticContext) -> Iterator[None]:
    """Report what the model sets of its attributes meanwhile, each once, at the line that sets it.

    A number, text or tensor that is replaced by another is a warning, since the next call would see it; what
    was not there before, or nothing, is a note. So are new keys of a dict; any other change of a list, dict,
    set or deque is a warning, at the first line of the module's forward that looks like it.
    """
    writes: _Writes = {}
    held = {module: HeldContainers(own_attributes(module)) for module in model.modules()}
    before = _noted.set(writes)
    try:
        with changed_while_capturing((torch.nn.Module, "__setattr__"), _watch):
            yield
    finally:
        _noted.reset(before)
    for module, containers in held.items():
        for name, has_grown in containers.changed():
            writes.setdefault((module, name), (_changing_line(module, name), not has_grown))
    paths = {module: path for path, module in model.named_modules()}
    for (module, name), (place, is_state) in writes.items():
        path = paths.get(module)
        if path is not None:
            diagnostics.report(
                ATTRIBUTE_DROPPED,
                level=Level.WARNING if is_state else Level.NOTE,
                location=place,
                name=f"{path}.{name}" if path else name,
            )


def _changing_line(module: torch.nn.Module, name: str) -> Location | None:
    """The first line of a module's forward that reads as a change of an attribute's content, or its first."""
    definition = definition_of(module)
    if definition is None:
        return None
    try:
        lines, first = inspect.getsourcelines(module.forward)
    except (OSError, TypeError):
        return definition
    pattern = re.compile(_CHANGES.format(name=re.escape(name)))
    found = next((first + at for at, line in enumerate(lines) if pattern.search(line)), None)
    return definition if found is None or definition.file is None else Location.at(definition.file, found)


def _watch() -> Callable[[], None]:
    home, name = torch.nn.Module, "__setattr__"
    original: Callable[..., None] = home.__setattr__

    def set_attribute(module: torch.nn.Module, attribute: str, value: object) -> None:
        if is_captured_here():
            caller = sys._getframe(1)
            _note(module, attribute, value, caller.f_code.co_filename, caller.f_lineno)
        original(module, attribute, value)

    setattr(home, name, set_attribute)
    return lambda: setattr(home, name, original)


def _note(module: torch.nn.Module, name: str, value: object, file: str, line: int) -> None:
    writes = _noted.get()
    if writes is None or name == "training" or not is_model_file(file):
        return
    known = vars(module).get(name, _ABSENT)
    is_registered = any(name in kept for kept in (module._parameters, module._buffers, module._modules))
    if is_registered or known is value or isinstance(value, torch.nn.Module | torch.nn.Parameter):
        return
    if isinstance(known, bool | int | float | str) and type(known) is type(value) and known == value:
        return
    is_state = isinstance(known, bool | int | float | str | torch.Tensor)
    writes.setdefault((module, name), (Location.at(file, line), is_state))
