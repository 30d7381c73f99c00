"""Operators of torch as nodes that stand for themselves, for runtimes that have torch's operators."""

from __future__ import annotations

from collections.abc import Callable

import torch

from onnx_export._torch_symbolics._adapted import SchemaSymbolic
from onnx_export._torch_symbolics._context import GraphContext
from onnx_ir_capture.contracts import Lowering
from onnx_ir_capture.dialect import OpName
from onnx_ir_capture.emit import GraphFrame
from onnx_ir_capture.emit.schemas import MIN_OPSET
from onnx_ir_capture.interpreter import find_operator
from onnx_torchlib import Op

__all__ = ["ATEN_NODES", "OWN_NODES", "NodeTable"]


class NodeTable:
    """Writes operators as nodes whose inputs are the arguments of the schema, in its order.

    Args:
        name: the table's name in logs.
        write: makes the node of a call.
        aten_only: whether it is for torch's own operators alone.
    """

    def __init__(
        self, name: str, write: Callable[[GraphContext, OpName, tuple[object, ...]], object], aten_only: bool
    ) -> None:
        self._name = name
        self._write = write
        self._aten_only = aten_only

    @property
    def name(self) -> str:
        """Name in logs and reports."""
        return self._name

    def find(self, op: OpName, opset: int) -> Lowering | None:
        """The one way of writing ``op``."""
        del opset
        overload = None if self._aten_only and op.domain != "aten" else find_operator(op)
        if overload is None:
            return None

        def node(g: GraphContext, *arguments: object) -> object:
            return self._write(g, op, arguments)

        return Lowering(str(op), SchemaSymbolic(node, overload, {}), MIN_OPSET, self.name)

    def first_opset(self, op: OpName) -> int | None:
        """None: it says nothing of the operators that a file can hold."""
        del op
        return None

    def context(self, frame: GraphFrame) -> Op:
        """What the nodes are appended to."""
        return Op(frame)


def _as_aten(g: GraphContext, op: OpName, arguments: tuple[object, ...]) -> object:
    return _typed(
        g, g.at(op.name, *arguments, overload_name=op.overload, outputs=g.original_node.outputsSize())
    )


def _as_itself(g: GraphContext, op: OpName, arguments: tuple[object, ...]) -> object:
    domain = "org.pytorch.aten" if op.domain == "aten" else op.domain
    return _typed(g, g.op(f"{domain}::{op.name}", *arguments, outputs=g.original_node.outputsSize()))


def _typed(g: GraphContext, made: torch._C.Value | tuple[torch._C.Value, ...]) -> object:
    values = made if isinstance(made, tuple) else (made,)
    for value, wanted in zip(values, g.original_node.outputs(), strict=True):
        value.setType(wanted.type())
    return made


ATEN_NODES = NodeTable("operator_export_type=ONNX_ATEN", _as_aten, aten_only=True)
"""Torch's own operators as nodes ``org.pytorch.aten::ATen`` with the operator's name as an attribute."""

OWN_NODES = NodeTable("operator_export_type=ONNX_FALLTHROUGH", _as_itself, aten_only=False)
"""Operators as nodes of their own names."""
