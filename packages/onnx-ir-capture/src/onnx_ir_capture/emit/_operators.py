"""The operators of ai.onnx as methods. Their types stand in the generated `_operators.pyi`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

import onnx_ir as ir

from onnx_ir_capture.emit._calls import Argument, AttributeValue, OperatorMethod, operator_method
from onnx_ir_capture.emit.schemas import OperatorNotFoundError

__all__ = ["OperatorMethods"]


class OperatorMethods(ABC):
    """Every ai.onnx operator as a method in its newest form: `op.ReduceSum(x, [1, 2], keepdims=1)`.

    A method checks the number of inputs and outputs and the attributes, then ends in `call_operator`. It
    returns one value, or a tuple where more outputs were asked for or their number is variable, as Split's.
    """

    @abstractmethod
    def call_operator(
        self,
        op_type: str,
        inputs: Sequence[Argument | None],
        attributes: Mapping[str, AttributeValue],
        outputs: int | None,
        /,
    ) -> ir.Value | Sequence[ir.Value]:
        """Emits an operator that is given in its newest form.

        Args:
            op_type: The operator.
            inputs: In the schema's order; None for one that is left out.
            attributes: Those that the caller set, converted to the types of the schema.
            outputs: How many; None where the operator always has exactly one.

        Returns:
            The outputs, as many as asked for.
        """

    def __getattr__(self, name: str) -> OperatorMethod:
        if not name[:1].isupper():
            raise AttributeError(
                f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self
            )
        try:
            return operator_method(self.call_operator, name)
        except OperatorNotFoundError as error:
            raise AttributeError(str(error), name=name, obj=self) from error
