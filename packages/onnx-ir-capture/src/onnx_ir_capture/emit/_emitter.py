"""Emits ONNX operators in their newest form, whatever opset the file has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn, Union

import numpy as np
import onnx_ir as ir

from onnx_ir_capture.contracts import Number, Operand, Unsupported, Value
from onnx_ir_capture.emit import schemas
from onnx_ir_capture.emit._frame import GraphFrame
from onnx_ir_capture.emit._inference import infer_outputs
from onnx_ir_capture.emit._operators import OperatorMethods
from onnx_ir_capture.emit._widening import narrow_outputs, widen_inputs

__all__ = ["EmitResult", "Emitter", "FORMS", "NodeInput", "form"]

NodeInput = Union[ir.Value, int, float, bool, complex, Sequence[int], Sequence[float], ir.TensorProtocol, None]
"""What may stand where a node takes a tensor: Python numbers and lists become constants of the dtype that
the operator's other inputs bind."""

EmitResult = Union[ir.Value, tuple[ir.Value, ...]]

FORMS: dict[str, Callable[..., EmitResult]] = {}
"""Registry of the operators whose form changed between opsets: name to the function that picks the form."""


def form(op_type: str) -> Callable[[Callable[..., EmitResult]], Callable[..., EmitResult]]:
    """Register the function that writes ``op_type`` in the form that the target has."""

    def register(function: Callable[..., EmitResult]) -> Callable[..., EmitResult]:
        if op_type in FORMS:
            raise ValueError(f"the form of {op_type} is registered twice")
        FORMS[op_type] = function
        return function

    return register


class Emitter(OperatorMethods):
    """Base of the contexts that lowerings write to: ``op.Add(x, 1)`` appends a node and returns its output.

    Every ai.onnx operator is a method, in its newest form; what the target lacks is written in the older
    form, or refused with :class:`Unsupported`.
    """

    def __init__(self, frame: GraphFrame) -> None:
        self.frame = frame

    @property
    def opset(self) -> int:
        """The file's ai.onnx opset. For form functions; lowerings ask :meth:`has` instead."""
        return self.frame.target.opset

    def has(self, op_type: str, dtype: ir.DataType | None = None) -> bool:
        """Whether the target has ``op_type``, and takes ``dtype`` as its first input."""
        if not schemas.exists(op_type, self.opset):
            return False
        return dtype is None or dtype in schemas.accepted(op_type, self.opset, 0)

    def constant(
        self, value: Number | Sequence[Number] | np.ndarray, dtype: ir.DataType = ir.DataType.INT64
    ) -> Value:
        """An initializer that holds ``value``."""
        return self.frame.constant(value, dtype)

    def cast(self, value: Value, dtype: ir.DataType) -> Value:
        """``value`` as ``dtype``; nothing is emitted where it has that dtype already."""
        if value.dtype == dtype:
            return value
        return self.Cast(value, to=dtype)

    def refuse(self, reason: str, from_opset: int | None = None) -> NoReturn:
        """Give up on this call with a reason for the user.

        Raises:
            Unsupported: always.
        """
        raise Unsupported(reason, from_opset)

    def call_operator(
        self,
        op_type: str,
        inputs: Sequence[NodeInput],
        attributes: Mapping[str, object],
        outputs: int | None = None,
    ) -> EmitResult:
        """Emit ``op_type``, given in its newest form."""
        arguments = {name: value for name, value in attributes.items() if value is not None}
        if op_type in FORMS:
            if outputs is not None:
                arguments["outputs"] = outputs
            return FORMS[op_type](self, *inputs, **arguments)
        return self.node(op_type, inputs, arguments, outputs or 1)

    def node(
        self,
        op_type: str,
        inputs: Sequence[NodeInput],
        attributes: Mapping[str, object] | None = None,
        outputs: int = 1,
        domain: str = "",
    ) -> EmitResult:
        """Append one node as it is given: the form must be the target's own.

        Raises:
            Unsupported: the target has no such operator, or it does not take a dtype and no exact detour
                through a wider one exists.
        """
        if domain:
            values = [value if isinstance(value, ir.Value) else None for value in inputs]
            return _unpack(self._append(op_type, values, attributes or {}, outputs, domain))
        if not schemas.exists(op_type, self.opset):
            first = schemas.first_opset(op_type)
            self.refuse(f"it needs the ONNX operator {op_type}, which exists from opset {first}", first)
        values = self._promote(op_type, inputs)
        values, widened = widen_inputs(self, op_type, values)
        results = self._append(op_type, values, attributes or {}, outputs, "")
        return _unpack(narrow_outputs(self, op_type, results, widened))

    def _promote(self, op_type: str, inputs: Sequence[NodeInput]) -> list[ir.Value | None]:
        """Constants for the literals among ``inputs``, in the dtype that their type parameter is bound to."""
        operator = schemas.form(op_type, self.opset)
        bound = {
            operator.input(i).type_param: value.dtype
            for i, value in enumerate(inputs)
            if isinstance(value, ir.Value) and value.dtype is not None
        }
        return [
            self._as_value(value, operator.input(i), bound) if value is not None else None
            for i, value in enumerate(inputs)
        ]

    def _as_value(
        self,
        value: Operand | Sequence[int] | Sequence[float] | ir.TensorProtocol,
        parameter: schemas.Parameter,
        bound: Mapping[str, ir.DataType],
    ) -> ir.Value:
        if isinstance(value, ir.Value):
            return value
        if isinstance(value, ir.TensorProtocol):
            return self.frame.tensor(value)
        dtype = bound.get(parameter.type_param)
        if dtype is None:
            dtype = next(iter(parameter.dtypes)) if len(parameter.dtypes) == 1 else _literal_dtype(value)
        return self.frame.constant(value, dtype)

    def _append(
        self,
        op_type: str,
        inputs: Sequence[ir.Value | None],
        attributes: Mapping[str, object],
        outputs: int,
        domain: str,
    ) -> tuple[ir.Value, ...]:
        """Make the node and infer its outputs' types. Contexts with a builder of their own override it."""
        attrs = ir.convenience.convert_attributes(attributes)
        node = ir.Node(
            domain, op_type, inputs, attrs, num_outputs=outputs, version=None if domain else self.opset
        )
        self.frame.graph.append(node)
        infer_outputs(node, self.opset)
        self.frame.created(node)
        return tuple(node.outputs)


def _unpack(values: tuple[ir.Value, ...]) -> EmitResult:
    return values[0] if len(values) == 1 else values


def _literal_dtype(value: Number | Sequence[int] | Sequence[float]) -> ir.DataType:
    sample = value
    if isinstance(value, Sequence):
        sample = next((item for item in value if isinstance(item, float)), value[0] if value else 0)
    if isinstance(sample, bool):
        return ir.DataType.BOOL
    return ir.DataType.INT64 if isinstance(sample, int) else ir.DataType.FLOAT
