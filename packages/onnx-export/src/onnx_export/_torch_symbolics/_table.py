"""Symbolic functions as tables of lowerings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from onnx_export._torch_symbolics._adapted import AutogradSymbolic, SchemaSymbolic
from onnx_export._torch_symbolics._registry import (
    SymbolicFunction,
    Versions,
    registered_here,
    registered_with_torch,
    serving,
)
from onnx_ir_capture.contracts import Lowering
from onnx_ir_capture.dialect import OpName
from onnx_ir_capture.emit import GraphFrame
from onnx_ir_capture.emit.schemas import MIN_OPSET
from onnx_ir_capture.interpreter import autograd_call, find_operator
from onnx_torchlib import Op

__all__ = [
    "AUTOGRAD_FUNCTIONS",
    "REGISTERED",
    "REGISTERED_ANYWHERE",
    "REGISTERED_WITH_TORCH",
    "AutogradTable",
    "DomainVersions",
    "SymbolicTable",
]

DomainVersions: TypeAlias = Mapping[str, int]
"""Versions of the domains that symbolic functions write, as of ``custom_opsets``; 1 for all others."""

_NO_VERSIONS: DomainVersions = MappingProxyType({})


class SymbolicTable:
    """Registered symbolic functions, in the order in which they are asked.

    Args:
        sources: give the functions for an operator, by opset; of two for one opset the first source's serves.
        versions: versions of the domains that the functions write, as of ``custom_opsets``.
    """

    def __init__(
        self,
        *sources: Callable[[str], Versions],
        versions: DomainVersions = _NO_VERSIONS,
    ) -> None:
        self._sources = sources
        self._versions = versions

    def with_versions(self, versions: DomainVersions) -> SymbolicTable:
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
        adapted = SchemaSymbolic(function, overload, self._versions)
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


class AutogradTable:
    """The functions ``symbolic`` of autograd functions, whose calls a trace keeps whole.

    Args:
        versions: versions of the domains that the functions write, as of ``custom_opsets``.
    """

    def __init__(self, versions: DomainVersions = _NO_VERSIONS) -> None:
        self._versions = versions

    def with_versions(self, versions: DomainVersions) -> AutogradTable:
        """The same table with other versions of domains."""
        return AutogradTable(versions)

    @property
    def name(self) -> str:
        """Name in logs and reports."""
        return "autograd.Function.symbolic"

    def find(self, op: OpName, opset: int) -> Lowering | None:
        """The function of the call that ``op`` names."""
        call = autograd_call(op)
        if call is None:
            return None
        return Lowering(str(op), AutogradSymbolic(call, self._versions), opset, self.name, custom=True)

    def first_opset(self, op: OpName) -> int | None:
        """Any: the function itself knows which opsets it serves."""
        return None if autograd_call(op) is None else MIN_OPSET

    def context(self, frame: GraphFrame) -> Op:
        """What the functions' nodes are appended to."""
        return Op(frame)


AUTOGRAD_FUNCTIONS = AutogradTable()
"""Autograd functions."""

REGISTERED = SymbolicTable(registered_here)
"""What was registered with this package."""

REGISTERED_WITH_TORCH = SymbolicTable(registered_with_torch)
"""What was registered with torch.onnx."""

REGISTERED_ANYWHERE = SymbolicTable(registered_here, registered_with_torch)
"""Both, the newest function first."""
