"""Arguments of a call, converted as the lowering function's annotations say.

A run-time value where a plain ``int`` is annotated is an error, never the example's number.
"""

from __future__ import annotations

import inspect
import types
import typing
import weakref
from collections.abc import Callable, Sequence
from typing import TypeAlias, Union

import onnx_ir as ir

from onnx_ir_capture.contracts import Unsupported
from onnx_ir_capture.dialect import ConstantValue, Device, Layout, MemoryFormat, TorchDType

__all__ = ["Argument", "Parameter", "bind", "parameters"]

Argument: TypeAlias = "ConstantValue | ir.Value | list[Argument]"
"""An argument as the driver has it: a constant, a value of the ONNX graph, or a list of those."""


class Parameter(typing.NamedTuple):
    """One parameter of a lowering function: its name, and what its annotation accepts."""

    name: str
    accepts: frozenset[type]
    items: frozenset[type]
    """What the elements of a list may be; empty when no list is accepted."""
    nested: frozenset[type]
    """What the elements of a list in a list may be."""
    has_default: bool


# Weak, since a caller's own functions must not live as long as the process.
_KNOWN: weakref.WeakKeyDictionary[Callable[..., object], tuple[Parameter, ...]] = weakref.WeakKeyDictionary()


def parameters(function: Callable[..., object]) -> tuple[Parameter, ...]:
    """The parameters of a lowering function after the context."""
    known = _KNOWN.get(function)
    if known is not None:
        return known
    hints = typing.get_type_hints(function)
    formal = list(inspect.signature(function).parameters.values())[1:]
    found = _KNOWN[function] = tuple(_parameter(p, hints.get(p.name, object)) for p in formal)
    return found


def _parameter(formal: inspect.Parameter, hint: object) -> Parameter:
    accepts: set[type] = set()
    items: set[type] = set()
    nested: set[type] = set()
    if hint is object:  # no annotation, in a caller's own function: whatever comes
        items.add(object)
        nested.add(object)
    for member in _members(hint):
        if _is_list(member):
            element = typing.get_args(member)[0]
            items.update(_classes(element))
            nested.update(
                *(_classes(typing.get_args(inner)[0]) for inner in _members(element) if _is_list(inner))
            )
        elif isinstance(member, type):
            accepts.add(member)
    has_default = formal.default is not inspect.Parameter.empty
    return Parameter(formal.name, frozenset(accepts), frozenset(items), frozenset(nested), has_default)


def _is_list(hint: object) -> bool:
    return typing.get_origin(hint) in (Sequence, list, tuple)


def _members(hint: object) -> tuple[object, ...]:
    if typing.get_origin(hint) in (Union, types.UnionType):
        return typing.get_args(hint)
    return (hint,)


def _classes(hint: object) -> set[type]:
    return {member for member in _members(hint) if isinstance(member, type)}


def bind(function: Callable[..., object], arguments: Sequence[Argument]) -> list[object]:
    """Convert ``arguments``, one per schema argument, for ``function``.

    Raises:
        Unsupported: an argument is of a kind that the function does not take; the reason names it.
    """
    formal = parameters(function)
    if len(arguments) > len(formal):
        raise TypeError(
            f"{function.__qualname__} takes {len(formal)} arguments, the call has {len(arguments)}"
        )
    return [_convert(parameter, argument) for parameter, argument in zip(formal, arguments, strict=False)]


def _convert(parameter: Parameter, argument: Argument) -> object:
    if isinstance(argument, list):
        return _convert_list(parameter, argument)
    converted = _fit(parameter.accepts, argument)
    if converted is _MISFIT and parameter.items:
        # Schemas write int[2] for what may be given as one int (torch's list broadcasting).
        converted = _fit(parameter.items, argument)
        converted = [converted] if converted is not _MISFIT else _MISFIT
    if converted is _MISFIT:
        raise Unsupported(_complaint(parameter, argument))
    return converted


def _convert_list(parameter: Parameter, argument: list[Argument]) -> list[object]:
    items = [_convert_item(parameter, item) for item in argument]
    if not (parameter.items or parameter.nested) or any(item is _MISFIT for item in items):
        bad = next((a for a, item in zip(argument, items, strict=True) if item is _MISFIT), argument)
        raise Unsupported(_complaint(parameter, bad))
    return items


_MISFIT = object()


def _convert_item(parameter: Parameter, item: Argument) -> object:
    if not isinstance(item, list):
        return _fit(parameter.items, item)
    members = [_MISFIT if isinstance(member, list) else _fit(parameter.nested, member) for member in item]
    return _MISFIT if any(member is _MISFIT for member in members) else members


def _fit(accepts: frozenset[type], argument: Argument) -> object:
    """``argument`` as one of the classes accepted, or ``_MISFIT``."""
    anything = object in accepts
    if isinstance(argument, TorchDType):
        return argument.onnx if anything or ir.DataType in accepts else _MISFIT
    if isinstance(argument, Device | Layout | MemoryFormat):
        return argument.name if anything or str in accepts else _MISFIT
    if anything:
        return argument
    if type(argument) in accepts:
        return argument
    if isinstance(argument, ir.Value):
        return argument if ir.Value in accepts else _MISFIT
    # Python's numeric tower: schemas take an int for a float (1 for 1.0) and a bool for an int.
    if isinstance(argument, bool) and int in accepts:
        return int(argument)
    if isinstance(argument, int) and float in accepts:
        return float(argument)
    return _MISFIT


def _complaint(parameter: Parameter, argument: Argument | list[Argument]) -> str:
    if isinstance(argument, ir.Value):
        return (
            f"its argument {parameter.name!r} is computed at run time, and only a constant can be translated"
        )
    return f"its argument {parameter.name!r} is {argument!r}, which the translation does not cover"
