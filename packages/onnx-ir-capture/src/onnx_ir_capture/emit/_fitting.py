"""Calls in the newest form, fitted to an older form that lacks only what the call does not use."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from onnx_ir_capture.emit import schemas
from onnx_ir_capture.emit._calls import Argument, AttributeValue

if TYPE_CHECKING:
    from onnx_ir_capture.emit._emitter import Emitter

__all__ = ["front_axes", "same_structure", "without_later_additions"]

_NEGATIVE_AXES = 11
"""The opset from which axes may count from the back, by the schemas' own descriptions."""

_NEGATIVE_AXES_BEFORE = frozenset({"OneHot", "LpNormalization", "Unsqueeze"})
"""Older forms that take a negative axis, or count it in another rank than their first input's."""


def without_later_additions(
    emitter: Emitter,
    op_type: str,
    inputs: Sequence[Argument | None],
    attributes: Mapping[str, AttributeValue],
    implied: Mapping[str, AttributeValue] = MappingProxyType({}),
) -> tuple[Sequence[Argument | None], dict[str, AttributeValue]]:
    """Inputs and attributes of a call without those that the target's form does not know.

    An attribute goes only where its value is what the older form does anyway: by default the newest form's
    default, or what ``implied`` says. An input goes only where the call leaves it out.

    Raises:
        Unsupported: the call uses something that came later.
    """
    newest, target = schemas.form(op_type, schemas.NEWEST_OPSET), schemas.form(op_type, emitter.opset)
    for name in newest.attributes.keys() - target.attributes.keys():
        default = newest.attributes[name].default
        value = attributes.get(name, default)
        if value != implied.get(name, default) and not _is_neutral(name, value):
            first = _first_with(op_type, name)
            emitter.refuse(f"ONNX operator {op_type} has the attribute {name} from opset {first}", first)
    kept = list(inputs)
    while len(kept) > len(target.inputs) and not _is_variadic(target):
        if kept.pop() is not None:
            name = newest.inputs[len(kept)].name
            first = _first_with(op_type, name)
            emitter.refuse(f"ONNX operator {op_type} has the input {name} from opset {first}", first)
    return kept, {name: value for name, value in attributes.items() if name in target.attributes}


def _is_neutral(name: str, value: object) -> bool:
    return name == "dilations" and isinstance(value, tuple) and set(value) == {1}


def _is_variadic(target: schemas.OperatorForm) -> bool:
    return bool(target.inputs) and target.inputs[-1].option == "variadic"


def _first_with(op_type: str, name: str) -> int:
    """The first version whose form has the attribute or input ``name``."""
    for version in schemas.versions(op_type):
        known = schemas.form(op_type, max(version, schemas.MIN_OPSET))
        if name in known.attributes or any(parameter.name == name for parameter in known.inputs):
            return version
    raise LookupError(f"no version of {op_type} has {name}")


@functools.cache
def same_structure(op_type: str, opset: int) -> int | None:
    """None where ``opset`` has the structure of the newest form, else the first later opset that does.

    Types are no matter of structure: see :mod:`._widening`.
    """
    newest = _structure(schemas.form(op_type, schemas.NEWEST_OPSET))
    if _structure(schemas.form(op_type, opset)) == newest:
        return None
    versions = [max(version, schemas.MIN_OPSET) for version in schemas.versions(op_type)]
    later = (version for version in versions if version > opset)
    return min(version for version in later if _structure(schemas.form(op_type, version)) == newest)


def _structure(form: schemas.OperatorForm) -> tuple[object, ...]:
    inputs = tuple(parameter.option for parameter in form.inputs)
    outputs = tuple(parameter.option for parameter in form.outputs)
    return inputs, outputs, frozenset(form.attributes.values())


def front_axes(
    emitter: Emitter,
    op_type: str,
    rank: int | None,
    attributes: Mapping[str, AttributeValue],
) -> Mapping[str, AttributeValue]:
    """``attributes`` with axes counted from the front, where the opset knows no other.

    Raises:
        Unsupported: an axis counts from the back and the rank is unknown.
    """
    if emitter.opset >= _NEGATIVE_AXES or op_type in _NEGATIVE_AXES_BEFORE:
        return attributes
    return {
        name: _from_front(emitter, value, rank) if name in ("axis", "axes") else value
        for name, value in attributes.items()
    }


def _from_front(emitter: Emitter, value: AttributeValue, rank: int | None) -> AttributeValue:
    axes = [value] if isinstance(value, int) else value
    if not isinstance(axes, Sequence) or not any(isinstance(axis, int) and axis < 0 for axis in axes):
        return value
    if rank is None:
        emitter.refuse(
            "an axis counts from the back of a tensor of unknown rank, which ONNX takes from opset "
            f"{_NEGATIVE_AXES}",
            _NEGATIVE_AXES,
        )
    front = tuple(axis % rank if rank else 0 for axis in axes if isinstance(axis, int))
    return front[0] if isinstance(value, int) else front
