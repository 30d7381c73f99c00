"""Emits ONNX operators in their newest form, whatever opset the file has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NoReturn

import numpy as np
import numpy.typing as npt
import onnx_ir as ir

from onnx_ir_capture.contracts import Number, Unsupported, Value
from onnx_ir_capture.emit import schemas
from onnx_ir_capture.emit._calls import Argument, AttributeValue
from onnx_ir_capture.emit._fitting import front_axes, same_structure
from onnx_ir_capture.emit._forms import NodeOutput, find_form
from onnx_ir_capture.emit._frame import GraphFrame
from onnx_ir_capture.emit._inference import infer_outputs
from onnx_ir_capture.emit._operators import OperatorMethods
from onnx_ir_capture.emit._widening import narrow_outputs, widen_inputs

__all__ = ["Emitter"]


class Emitter(OperatorMethods):
    """Base of the contexts that lowerings write to: ``op.Add(x, 1)`` appends a node and returns its output.

    Every ai.onnx operator is a method, in its newest form; what the target lacks is written in the older
    form, or refused with :class:`Unsupported`.
    """

    def __init__(self, frame: GraphFrame) -> None:
        self.frame = frame

    def expected_shape(self, output: int = 0) -> ir.Shape | None:
        """The shape that the captured program has for an output of the call at hand, if it knows one."""
        expected = self.frame.expected
        return expected[output].shape if output < len(expected) else None

    def expected_dtype(self, output: int = 0) -> ir.DataType | None:
        """The dtype that the captured program has for an output of the call, if it knows one."""
        expected = self.frame.expected
        dtype = expected[output].dtype if output < len(expected) else None
        return None if dtype == ir.DataType.UNDEFINED else dtype

    @property
    def default_float(self) -> ir.DataType:
        """Torch's default float dtype in the program: what the call at hand makes of integers alone.

        FLOAT for a call without a float result.
        """
        dtype = self.expected_dtype()
        return dtype if dtype is not None and dtype.is_floating_point() else ir.DataType.FLOAT

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
        self,
        value: Number | Sequence[Number] | npt.NDArray[np.generic],
        dtype: ir.DataType = ir.DataType.INT64,
    ) -> Value:
        """An initializer that holds ``value``."""
        return self.frame.constant(value, dtype)

    def cast(self, value: Value, dtype: ir.DataType) -> Value:
        """``value`` as ``dtype``; nothing is emitted where it has that dtype already."""
        if value.dtype == dtype:
            return value
        return self.Cast(value, to=dtype)

    def limit(self, reason: str) -> None:
        """Tell the user once where the call gives other numbers than PyTorch, as docs/limits.md does.

        Args:
            reason: completes the sentence "aten::xyz is exported, but …".
        """
        self.frame.limits.append(reason)

    def refuse(self, reason: str, from_opset: int | None = None) -> NoReturn:
        """Give up on this call with a reason for the user.

        Raises:
            Unsupported: always.
        """
        raise Unsupported(reason, from_opset)

    def call_operator(
        self,
        op_type: str,
        inputs: Sequence[Argument | None],
        attributes: Mapping[str, AttributeValue],
        outputs: int | None,
        /,
    ) -> NodeOutput:
        """Emit ``op_type``, given in its newest form.

        Raises:
            Unsupported: the target cannot express the call.
        """
        function = find_form(op_type)
        if function is not None:
            count = {} if outputs is None else {"outputs": outputs}
            return function(self, *inputs, **attributes, **count)
        if schemas.exists(op_type, self.opset):
            first = same_structure(op_type, self.opset)
            if first is not None:
                self.refuse(f"ONNX operator {op_type} is written from opset {first} only", first)
        return self.node(op_type, inputs, attributes, outputs or 1)

    def node(
        self,
        op_type: str,
        inputs: Sequence[Argument | None],
        attributes: Mapping[str, AttributeValue] = MappingProxyType({}),
        outputs: int = 1,
    ) -> tuple[ir.Value, ...]:
        """Append one ai.onnx node as it is given: the form must be the target's own.

        Raises:
            Unsupported: the target has no such operator, or it does not take a dtype and no exact detour
                through a wider one exists.
        """
        if not schemas.exists(op_type, self.opset):
            first = schemas.first_opset(op_type)
            self.refuse(f"it needs the ONNX operator {op_type}, which exists from opset {first}", first)
        values, widened = widen_inputs(self, op_type, self._promote(op_type, inputs))
        shape = values[0].shape if values and values[0] is not None else None
        fitted = front_axes(self, op_type, None if shape is None else len(shape), attributes)
        return narrow_outputs(self, op_type, self._append(op_type, values, fitted, outputs), widened)

    def _promote(self, op_type: str, inputs: Sequence[Argument | None]) -> list[ir.Value | None]:
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
        value: Argument,
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
        attributes: Mapping[str, AttributeValue],
        outputs: int,
    ) -> tuple[ir.Value, ...]:
        """Make the node and infer its outputs' types. Contexts with a builder of their own override it."""
        formal = schemas.form(op_type, self.opset).attributes
        attrs = [ir.Attr(name, formal[name].type, value) for name, value in attributes.items()]
        node = ir.Node("", op_type, inputs, attrs, num_outputs=outputs, version=self.opset)
        self.frame.graph.append(node)
        infer_outputs(node, self.opset)
        self.frame.created(node)
        return tuple(node.outputs)


def _literal_dtype(value: Number | Sequence[int] | Sequence[float]) -> ir.DataType:
    sample = value
    if isinstance(value, Sequence):
        sample = next((item for item in value if isinstance(item, float)), value[0] if value else 0)
    if isinstance(sample, bool):
        return ir.DataType.BOOL
    return ir.DataType.INT64 if isinstance(sample, int) else ir.DataType.FLOAT
