"""Registered symbolic functions as a table of lowerings."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import torch

from onnx_export._domain_nodes import element_kind, schema_signature
from onnx_export._torch_symbolics._arguments import argument_value
from onnx_export._torch_symbolics._context import GraphContext
from onnx_export._torch_symbolics._graph import ScratchGraph
from onnx_export._torch_symbolics._registry import (
    SymbolicFunction,
    Versions,
    registered_here,
    registered_with_torch,
    serving,
)
from onnx_export._torch_symbolics._results import results_of
from onnx_export._torch_symbolics._settings import settings_of_torch
from onnx_ir_capture.contracts import Lowering, Value
from onnx_ir_capture.dialect import OpName
from onnx_ir_capture.emit import GraphFrame
from onnx_ir_capture.interpreter import find_operator
from onnx_torchlib import Op

__all__ = ["REGISTERED", "REGISTERED_ANYWHERE", "REGISTERED_WITH_TORCH", "SymbolicTable"]


class SymbolicTable:
    """Registered symbolic functions, in the order in which they are asked.

    Args:
        sources: give the functions for an operator, by opset; of two for one opset the first source's serves.
        versions: versions of the domains that the functions write, as of ``custom_opsets``.
    """

    def __init__(
        self,
        *sources: Callable[[str], Versions],
        versions: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self._sources = sources
        self._versions = versions

    def with_versions(self, versions: Mapping[str, int]) -> SymbolicTable:
        """The same table with other versions of domains."""
        return SymbolicTable(*self._sources, versions=versions)

    @property
    def name(self) -> str:
        """Name in logs and reports."""
        return "register_custom_op_symbolic"

    def find(self, op: OpName, opset: int) -> Lowering | None:
        """The symbolic function of ``op``: all overloads have one."""
        function = serving(self._registered(op), opset)
        overload = None if function is None else find_operator(op)
        if function is None or overload is None:
            return None
        adapted = _Adapted(function, overload, self._versions)
        return Lowering(str(op), adapted, opset, self.name, custom=True)

    def first_opset(self, op: OpName) -> int | None:
        """The lowest opset that a function is registered at."""
        return min(self._registered(op), default=None)

    def _registered(self, op: OpName) -> Versions:
        found: dict[int, SymbolicFunction] = {}
        for source in reversed(self._sources):
            found.update(source(f"{op.domain}::{op.name}"))
        return found

    def context(self, frame: GraphFrame) -> Op:
        """What the functions' nodes are appended to."""
        return Op(frame)


class _Adapted:
    """A symbolic function in the place of a translator."""

    def __init__(
        self,
        function: SymbolicFunction,
        overload: torch._ops.OpOverload[..., object],
        versions: Mapping[str, int],
    ) -> None:
        self.__wrapped__ = function
        self.__qualname__ = self.__name__ = str(
            getattr(function, "__qualname__", type(function).__qualname__)
        )
        # What the driver reads of a function.
        self.__signature__ = schema_signature(overload)
        self.__annotations__: dict[str, object] = {}
        self._schema = overload._schema
        self._versions = versions

    def __call__(self, op: Op, *arguments: object) -> Sequence[Value]:
        scratch = ScratchGraph(op, self._versions)
        values = [
            argument_value(scratch, argument, element_kind(formal))
            for argument, formal in zip(arguments, self._schema.arguments, strict=True)
        ]
        call = scratch.graph.create(self._schema.name, values, len(op.frame.expected))
        g = GraphContext(scratch, call)
        with settings_of_torch(op.opset):
            result = self.__wrapped__(g, *values, **self._outputs(len(op.frame.expected)))
        return results_of(scratch, result, op.frame.expected)

    def _outputs(self, count: int) -> Mapping[str, int]:
        """``_outputs``, for a function that wants to know how many tensors its list is unpacked into."""
        is_list = [isinstance(result.type, torch._C.ListType) for result in self._schema.returns] == [True]
        if not is_list or "_outputs" not in inspect.signature(self.__wrapped__).parameters:
            return {}
        return {"_outputs": count}


REGISTERED = SymbolicTable(registered_here)
"""What was registered with this package."""

REGISTERED_WITH_TORCH = SymbolicTable(registered_with_torch)
"""What was registered with torch.onnx."""

REGISTERED_ANYWHERE = SymbolicTable(registered_here, registered_with_torch)
"""Both, the newest function first."""
