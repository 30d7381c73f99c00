"""Lowerings by operator and opset: the one place that states the ``since`` rule."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import onnx_ir as ir

from onnx_ir_capture.contracts import Lowering
from onnx_ir_capture.dialect import OpName

__all__ = ["OpRegistry"]

_Function = TypeVar("_Function", bound=Callable[..., "ir.Value | Sequence[ir.Value]"])


class OpRegistry:
    """Functions that emit ONNX, registered under an operator's name and the opset they hold from.

    At opset T the function with the greatest ``since <= T`` serves. A bare name is the default overload.

    Args:
        name: the table's name in logs.
        package: a package whose modules (the rooms) register their functions when imported. They are
            imported when something is first looked up.
    """

    def __init__(self, name: str, package: str | None = None) -> None:
        self._name = name
        self._package = package
        self._versions: dict[OpName, list[Lowering]] = {}

    @property
    def name(self) -> str:
        """Name in logs and reports."""
        return self._name

    def register(self, *ops: str, since: int) -> Callable[[_Function], _Function]:
        """Decorator that registers a function for ``ops``, such as ``aten::sum.dim_IntList``.

        Raises:
            ValueError: another function is registered for an op with the same ``since``.
        """

        def decorate(function: _Function) -> _Function:
            for op in ops:
                self.add(Lowering(op, function, since, self._name))
            return function

        return decorate

    def add(self, lowering: Lowering) -> None:
        """Register one lowering.

        Raises:
            ValueError: another is registered for the same op and ``since``.
        """
        versions = self._versions.setdefault(OpName.parse(lowering.op), [])
        for other in versions:
            if other.since == lowering.since:
                raise ValueError(
                    f"{lowering.op} since {lowering.since} is registered twice in {self._name}: "
                    f"by {_where(other)} and by {_where(lowering)}"
                )
        versions.append(lowering)
        versions.sort(key=lambda entry: entry.since)

    def find(self, op: OpName, opset: int) -> Lowering | None:
        """The lowering of ``op`` with the greatest ``since`` that ``opset`` reaches."""
        self._load()
        reached = [entry for entry in self._versions.get(op, ()) if entry.since <= opset]
        return reached[-1] if reached else None

    def first_opset(self, op: OpName) -> int | None:
        """The lowest ``since`` of ``op``; None when the table does not hold it."""
        self._load()
        versions = self._versions.get(op)
        return versions[0].since if versions else None

    def __iter__(self) -> Iterator[Lowering]:
        """Every lowering, by op name and ``since``."""
        self._load()
        for op in sorted(self._versions):
            yield from self._versions[op]

    def _load(self) -> None:
        package, self._package = self._package, None
        if package is None:
            return
        root = importlib.import_module(package)
        for room in pkgutil.iter_modules(root.__path__):
            importlib.import_module(f"{package}.{room.name}")


def _where(lowering: Lowering) -> str:
    return f"{lowering.function.__module__}.{lowering.function.__qualname__}"
