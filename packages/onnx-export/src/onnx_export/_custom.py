"""A caller's own translations, given as ``custom_translation_table``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import onnx_ir as ir
import torch

from onnx_ir_capture.contracts import Lowering
from onnx_torchlib import BASE_OPSET, TranslatorTable

__all__ = ["Translator", "custom_table"]

Translator: TypeAlias = "Callable[..., ir.Value | Sequence[ir.Value]]"
"""A translation of one operator: takes ``op`` and the operator's arguments, returns its outputs."""


def custom_table(table: Mapping[object, Translator]) -> TranslatorTable:
    """The caller's translations as a table that is asked first.

    Args:
        table: operator overload such as ``torch.ops.aten.add.Tensor`` to a function ``f(op, ...)`` that is
            written as onnx-torchlib's translators are.

    Raises:
        TypeError: a key is no operator overload, or a value no such function.
    """
    custom = TranslatorTable("custom_translation_table")
    for target, function in table.items():
        custom.add(Lowering(_key(target), _checked(target, function), BASE_OPSET, custom.name, custom=True))
    return custom


def _key(target: object) -> str:
    if isinstance(target, torch._ops.OpOverloadPacket):
        names = ", ".join(f"{target}.{overload}" for overload in target.overloads())
        raise TypeError(f"custom_translation_table: {target} has several overloads; name one of {names}")
    if not isinstance(target, torch._ops.OpOverload):
        raise TypeError(
            "custom_translation_table: a key is an operator overload such as torch.ops.aten.add.Tensor, "
            f"got {target!r}"
        )
    schema = target._schema
    return f"{schema.name}.{schema.overload_name}" if schema.overload_name else str(schema.name)


def _checked(target: object, function: Translator) -> Translator:
    if not inspect.isfunction(function):
        raise TypeError(
            f"custom_translation_table: the value for {target} must be a Python function f(op, ...) written "
            f"as onnx-torchlib's translators are, got {type(function).__name__}"
        )
    first = next(iter(inspect.signature(function).parameters), None)
    if first != "op":
        raise TypeError(
            f"custom_translation_table: {function.__qualname__} must take 'op' as its first parameter, then "
            f"the arguments of {target}; functions of onnxscript's own opsets are not supported yet"
        )
    return function
