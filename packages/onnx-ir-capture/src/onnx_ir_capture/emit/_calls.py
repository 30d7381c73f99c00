"""Checks a call of an operator method against the operator's newest form, and hands it on."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, SupportsFloat, SupportsIndex, TypeAlias, TypeVar

import onnx_ir as ir

from onnx_ir_capture.emit import schemas

__all__ = ["Argument", "AttributeValue", "CallOperator", "OperatorMethod", "operator_method"]

Argument: TypeAlias = (
    ir.Value | int | float | bool | complex | Sequence[int] | Sequence[float] | ir.TensorProtocol
)
"""What may stand for a tensor input: a value, or a number, list or tensor that becomes a constant."""

AttributeValue: TypeAlias = (
    int
    | float
    | str
    | Sequence[int]
    | Sequence[float]
    | Sequence[str]
    | ir.TensorProtocol
    | ir.SparseTensorProtocol
    | ir.Graph
    | ir.TypeAndShape
)
"""What an attribute may be. An ONNX INT arrives as int, a FLOAT as float, lists as tuples of them."""

OperatorMethod: TypeAlias = Callable[..., ir.Value | tuple[ir.Value, ...]]


class CallOperator(Protocol):
    """The hook that an operator method ends in; see `OperatorMethods.call_operator`."""

    def __call__(
        self,
        op_type: str,
        inputs: Sequence[Argument | None],
        attributes: Mapping[str, AttributeValue],
        outputs: int | None,
        /,
    ) -> ir.Value | Sequence[ir.Value]: ...


def operator_method(call: CallOperator, op_type: str) -> OperatorMethod:
    """The method `op_type` of an object whose hook is `call`.

    Raises:
        OperatorNotFoundError: The newest opset has no such operator.
    """
    form = schemas.form(op_type, schemas.NEWEST_OPSET)
    return functools.partial(_call, call, form)


def _call(
    call: CallOperator,
    form: schemas.OperatorForm,
    /,
    *inputs: Argument | None,
    outputs: int | None = None,
    **attributes: object,
) -> ir.Value | tuple[ir.Value, ...]:
    _check_inputs(form, inputs)
    count = _output_count(form, outputs)
    result = call(form.op_type, inputs, _convert_attributes(form, attributes), count)
    values = (result,) if isinstance(result, ir.Value) else tuple(result)
    variable = form.outputs[-1].option == "variadic"
    return values[0] if len(values) == 1 and not variable else values


@functools.cache
def _arity(form: schemas.OperatorForm) -> tuple[int, int | None]:
    """The fewest and the most inputs; None for no limit."""
    least = max((i + p.min_arity for i, p in enumerate(form.inputs) if p.min_arity), default=0)
    variadic = bool(form.inputs) and form.inputs[-1].option == "variadic"
    return least, None if variadic else len(form.inputs)


def _check_inputs(form: schemas.OperatorForm, inputs: Sequence[Argument | None]) -> None:
    least, most = _arity(form)
    if len(inputs) < least or (most is not None and len(inputs) > most):
        takes = f"{least} or more" if most is None else f"{least}" if least == most else f"{least} to {most}"
        listed = ", ".join(parameter.name for parameter in form.inputs) or "none"
        raise TypeError(f"op.{form.op_type} takes {takes} input(s) ({listed}), {len(inputs)} given")
    for index, value in enumerate(inputs):
        if value is None and form.input(index).option != "optional":
            name = form.input(index).name
            raise TypeError(f"op.{form.op_type}: the input {name} (number {index}) cannot be left out")


def _output_count(form: schemas.OperatorForm, outputs: int | None) -> int | None:
    """The outputs to make; None where the operator has one, always."""
    known = form.outputs
    if any(parameter.option == "variadic" for parameter in known):
        if outputs is None or outputs < 1:
            raise TypeError(f"op.{form.op_type} has a variable number of outputs: pass outputs=, at least 1")
        return outputs
    least = max(sum(parameter.option == "single" for parameter in known), 1)
    if outputs is not None and not least <= outputs <= len(known):
        has = f"{least}" if least == len(known) else f"{least} to {len(known)}"
        raise TypeError(f"op.{form.op_type} has {has} outputs, not {outputs}")
    return None if len(known) == 1 else outputs or least


def _convert_attributes(
    form: schemas.OperatorForm, attributes: Mapping[str, object]
) -> dict[str, AttributeValue]:
    """The attributes that are set, in the types that the form gives them."""
    given = {name: value for name, value in attributes.items() if value is not None}
    if unknown := [name for name in given if name not in form.attributes]:
        listed = ", ".join(form.attributes) or "none"
        raise TypeError(f"op.{form.op_type} has no attribute {', '.join(unknown)}; its attributes: {listed}")
    if missing := [name for name, known in form.attributes.items() if known.required and name not in given]:
        raise TypeError(f"op.{form.op_type} needs the attribute {', '.join(missing)}")
    converted: dict[str, AttributeValue] = {}
    for name, value in given.items():
        attribute = _convert(value, form.attributes[name].type)
        if attribute is None:
            raise TypeError(
                f"op.{form.op_type}: the attribute {name} is of type {form.attributes[name].type.name}, "
                f"not {type(value).__name__}: {value!r}"
            )
        converted[name] = attribute
    return converted


def _convert(value: object, kind: ir.AttributeType) -> AttributeValue | None:
    """The value as an attribute of that kind, None where it is no such thing.

    An int for a FLOAT becomes a float here: as it stands, onnx_ir would write an INT attribute.
    """
    if kind is ir.AttributeType.INT:
        return _as_int(value)
    if kind is ir.AttributeType.FLOAT:
        return _as_float(value)
    if kind is ir.AttributeType.STRING:
        return _as_string(value)
    if kind is ir.AttributeType.INTS:
        return _as_tuple(value, _as_int)
    if kind is ir.AttributeType.FLOATS:
        return _as_tuple(value, _as_float)
    if kind is ir.AttributeType.STRINGS:
        return _as_tuple(value, _as_string)
    return _as_object(value, kind)


def _as_object(value: object, kind: ir.AttributeType) -> AttributeValue | None:
    if kind is ir.AttributeType.TENSOR:
        return value if isinstance(value, ir.TensorProtocol) else None
    if kind is ir.AttributeType.SPARSE_TENSOR:
        return value if isinstance(value, ir.SparseTensorProtocol) else None
    if kind is ir.AttributeType.GRAPH:
        return value if isinstance(value, ir.Graph) else None
    if kind is ir.AttributeType.TYPE_PROTO:
        return value if isinstance(value, ir.TypeAndShape) else None
    raise NotImplementedError(f"no operator had an attribute of type {kind.name} when this was written")


def _as_int(value: object) -> int | None:
    if isinstance(value, int):
        return int(value)
    return operator.index(value) if isinstance(value, SupportsIndex) else None


def _as_float(value: object) -> float | None:
    return float(value) if isinstance(value, SupportsFloat) else None


def _as_string(value: object) -> str | None:
    return value if isinstance(value, str) else None


_Item = TypeVar("_Item", int, float, str)


def _as_tuple(value: object, convert: Callable[[object], _Item | None]) -> tuple[_Item, ...] | None:
    if isinstance(value, str) or not isinstance(value, Sequence):
        return None
    items = [convert(item) for item in value]
    known = tuple(item for item in items if item is not None)
    return known if len(known) == len(items) else None
