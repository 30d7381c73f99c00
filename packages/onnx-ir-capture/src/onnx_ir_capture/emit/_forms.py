"""The registry of form functions: what is written for an operator where the target lacks its newest form."""

from __future__ import annotations

import dataclasses
import functools
import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import onnx_ir as ir

__all__ = ["Form", "FormFunction", "NodeOutput", "find_form", "form", "registered_forms"]

NodeOutput: TypeAlias = "ir.Value | Sequence[ir.Value]"
FormFunction: TypeAlias = Callable[..., NodeOutput]
"""Takes the emitter and an operator's inputs and attributes in the newest form; returns its outputs."""


@dataclasses.dataclass(frozen=True)
class Form:
    """A form function, and the newest version of its operator's schema that it was held against."""

    function: FormFunction
    reviewed: int


_FORMS: dict[str, Form] = {}


def form(*op_types: str, reviewed: int) -> Callable[[FormFunction], FormFunction]:
    """Register the function that writes ``op_types`` in the form that the target has.

    Args:
        op_types: operators that one function serves; it must then not depend on which.
        reviewed: newest since-version of the schema that the function was written for. A test fails when
            onnx has a newer one, until somebody has looked at the difference and raised the number.
    """

    def register(function: FormFunction) -> FormFunction:
        for op_type in op_types:
            if op_type in _FORMS:
                raise ValueError(f"the form of {op_type} is registered twice")
            _FORMS[op_type] = Form(function, reviewed)
        return function

    return register


def find_form(op_type: str) -> FormFunction | None:
    """The form function of an operator; None for one that every opset writes alike."""
    found = registered_forms().get(op_type)
    return None if found is None else found.function


@functools.cache
def registered_forms() -> Mapping[str, Form]:
    """Every form by operator. The rooms of ``emit/forms`` load here: they are written with the emitter."""
    package = importlib.import_module("onnx_ir_capture.emit.forms")
    for room in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{room.name}")
    return _FORMS
