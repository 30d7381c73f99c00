"""Attributes as ``g.op`` takes them: their names end in the type, as in ``axis_i=1``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import onnx_ir as ir
import torch
from onnx_ir import tensor_adapters

from onnx_ir_capture.emit import AttributeValue, schemas

__all__ = [
    "Attribute",
    "attribute_of",
    "check_attributes",
    "ir_attribute",
    "read_attributes",
    "tensor_of",
    "write_attributes",
]

_SUFFIXED = re.compile(r"(?P<name>.+)_(?P<kind>i|f|s|t|z|g|ty)")

# What torch's own graphs carry beside an operator's attributes.
_IGNORED = frozenset(["aten", "inplace"])


class Attribute(NamedTuple):
    """The value of an attribute, as ONNX has it."""

    kind: ir.AttributeType
    value: AttributeValue


def write_attributes(node: torch._C.Node, attributes: Mapping[str, object]) -> None:
    """Set attributes of a TorchScript node; None is left out.

    Raises:
        ValueError: a name has no ending that says its type, or one that no node can be given.
        TypeError: a value is of another type.
    """
    for given, value in sorted(attributes.items()):
        if value is None or given in _IGNORED:
            continue
        match = _SUFFIXED.fullmatch(given)
        if match is None:
            raise ValueError(
                f"the attribute {given!r} says no type: write {given}_i for integers, {given}_f for floats, "
                f"{given}_s for strings or {given}_t for a tensor"
            )
        name, kind = match["name"], match["kind"]
        if kind in ("g", "ty"):
            raise ValueError(f"the attribute {given!r} holds a graph or a type, which g.op cannot write")
        is_list = isinstance(value, Iterable) and not isinstance(value, str | bytes | torch.Tensor)
        setter: object = getattr(node, f"{kind}s_" if is_list else f"{kind}_")
        try:
            _call(setter, name, list(value) if is_list and isinstance(value, Iterable) else value)
        except (TypeError, RuntimeError) as error:
            wanted = {"i": "an integer", "f": "a number", "s": "a string"}.get(kind, "a tensor")
            listed = f"a list whose items are each {wanted}" if is_list else wanted
            raise TypeError(f"the attribute {given!r} must be {listed}, got {value!r}") from error


def _call(setter: object, name: str, value: object) -> None:
    if not callable(setter):
        raise TypeError(f"torch has no way to set the attribute {name}")
    setter(name, value)


def read_attributes(node: torch._C.Node) -> dict[str, Attribute]:
    """The attributes of a TorchScript node as those of an ONNX one."""
    return {name: _attribute(node, name) for name in node.attributeNames()}


def attribute_of(node: torch._C.Node, name: str) -> object:
    """An attribute of a TorchScript node, as torch has it."""
    getter: object = getattr(node, node.kindOf(name))
    found: object = getter(name) if callable(getter) else None
    return found


def _attribute(node: torch._C.Node, name: str) -> Attribute:
    kind, value = node.kindOf(name), attribute_of(node, name)
    is_list = isinstance(value, list)
    items = value if isinstance(value, list) else [value]
    if kind in ("i", "is"):
        ints = [item for item in items if isinstance(item, int)]
        return Attribute(ir.AttributeType.INTS, ints) if is_list else Attribute(ir.AttributeType.INT, ints[0])
    if kind in ("f", "fs"):
        floats = [item for item in items if isinstance(item, float)]
        if is_list:
            return Attribute(ir.AttributeType.FLOATS, floats)
        return Attribute(ir.AttributeType.FLOAT, floats[0])
    if kind in ("s", "ss"):
        texts = [item for item in items if isinstance(item, str)]
        if is_list:
            return Attribute(ir.AttributeType.STRINGS, texts)
        return Attribute(ir.AttributeType.STRING, texts[0])
    if isinstance(value, torch.Tensor):
        return Attribute(ir.AttributeType.TENSOR, tensor_of(value))
    raise ValueError(f"the attribute {name!r} of {node.kind()} is a {kind}, which no ONNX attribute can be")


def tensor_of(tensor: torch.Tensor) -> ir.TensorProtocol:
    """The values of a tensor for the graph."""
    return tensor_adapters.TorchTensor(tensor.detach().cpu().contiguous())


def ir_attribute(name: str, attribute: Attribute) -> ir.Attr:
    """The attribute of a node."""
    return ir.Attr(name, attribute.kind, attribute.value)


def check_attributes(op_type: str, opset: int, inputs: int, attributes: Mapping[str, Attribute]) -> None:
    """Hold a call of ``g.op`` against the operator's form at the target, where nothing has looked at it yet.

    Raises:
        ValueError: the operator takes other inputs or attributes there.
    """
    form = schemas.form(op_type, opset)
    is_variadic = bool(form.inputs) and form.inputs[-1].option == "variadic"
    least = sum(parameter.option == "single" for parameter in form.inputs)
    if inputs < least or (inputs > len(form.inputs) and not is_variadic):
        raise ValueError(f"{op_type} of opset {opset} takes {_listed(form.inputs)}, got {inputs} inputs")
    for name, attribute in attributes.items():
        known = form.attributes.get(name)
        if known is None:
            has = ", ".join(form.attributes) or "none"
            raise ValueError(f"{op_type} has no attribute {name} at opset {opset}; its attributes: {has}")
        if known.type != attribute.kind:
            raise ValueError(
                f"the attribute {name} of {op_type} is of type {known.type.name}, got {attribute.kind.name}"
            )
    missing = [name for name, known in form.attributes.items() if known.required and name not in attributes]
    if missing:
        raise ValueError(f"{op_type} needs the attribute {', '.join(missing)} at opset {opset}")


def _listed(parameters: Iterable[schemas.Parameter]) -> str:
    return ", ".join(parameter.name for parameter in parameters) or "no inputs"
