"""The table of symbolic functions, and the decorator that fills it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import onnx_ir as ir

from onnx_ir_capture.dialect import OpName
from onnx_ir_capture.emit import GraphFrame
from onnx_ir_capture.lowering import Argument, OpRegistry, bind
from onnx_symbolics._context import SymbolicContext

__all__ = ["BASE_OPSET", "SYMBOLICS", "OpsetRegistry", "symbolic"]

BASE_OPSET = 9
"""The lowest opset that symbolic functions serve."""

_Function = TypeVar("_Function", bound=Callable[..., "ir.Value | Sequence[ir.Value]"])


class OpsetRegistry(OpRegistry):
    """Symbolic functions by operator overload and opset; its context is :class:`SymbolicContext`."""

    def context(self, frame: GraphFrame) -> SymbolicContext:
        """The ``g`` that symbolic functions write to."""
        return SymbolicContext(frame)

    def emit(self, g: SymbolicContext, op: str, *arguments: Argument) -> ir.Value | Sequence[ir.Value]:
        """Call the function that serves ``op`` at the opset of ``g``.

        Args:
            g: where the nodes go.
            op: an overload, such as ``aten::add.Tensor``.
            arguments: the schema's, in its order; those with a default may be left out at the end.

        Raises:
            LookupError: the table holds no function for the overload at this opset.
            Unsupported: the function takes the op, but not these arguments at this opset.
        """
        lowering = self.find(OpName.parse(op), g.opset)
        if lowering is None:
            first = self.first_opset(OpName.parse(op))
            hint = "" if first is None else f"; it has one from opset {first}"
            raise LookupError(f"{self.name} has no function for {op} at opset {g.opset}{hint}")
        return lowering.function(g, *bind(lowering.function, arguments))


SYMBOLICS = OpsetRegistry("onnx-symbolics", package="onnx_symbolics.ops")
"""Every symbolic function of this package; the rooms in ``onnx_symbolics.ops`` load when first asked."""


def symbolic(*ops: str, since: int = BASE_OPSET) -> Callable[[_Function], _Function]:
    """Register a symbolic function for operator overloads such as ``aten::sum.dim_IntList``.

    At target T the function with the greatest ``since <= T`` serves; a newer form stands beside the older
    one, named after its ``since``. A bare name is the default overload. The function takes
    :class:`SymbolicContext` and then the schema's arguments, in its order and by its names.
    """
    return SYMBOLICS.register(*ops, since=since)
