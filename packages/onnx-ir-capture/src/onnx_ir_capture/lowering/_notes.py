"""What the lowering tells of calls that it did lower, once per operator."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import onnx_ir as ir

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.dialect import OpName, op_name
from onnx_ir_capture.lowering._failures import Untranslatable
from onnx_ir_capture.lowering._locations import location_of
from onnx_ir_capture.rules import DECOMPOSED, LAST_RESORT, SEMANTICS_LIMITED

__all__ = ["Notes"]


class Notes:
    """Reports how calls were lowered to ``diagnostics``."""

    def __init__(self, diagnostics: DiagnosticContext) -> None:
        self._diagnostics = diagnostics
        self._noted: set[OpName] = set()
        self._limits: set[tuple[OpName, str]] = set()

    def last_resort(self, node: ir.Node, table: str, failure: Untranslatable) -> None:
        """Say that only a table of last resort had the operator, and why no other one."""
        if self._is_new(node):
            self._diagnostics.report(
                LAST_RESORT,
                location=location_of(node),
                op=op_name(node),
                table=table,
                reason=failure.in_short(),
            )

    def decomposition(self, node: ir.Node, failure: Untranslatable, parts: Sequence[OpName]) -> None:
        """Say that the operator was taken apart, and into what."""
        if self._is_new(node):
            names = ", ".join(map(str, dict.fromkeys(parts))) or "its arguments alone"
            self._diagnostics.report(
                DECOMPOSED,
                location=location_of(node),
                op=op_name(node),
                parts=names,
                reason=failure.in_short(),
            )

    def _is_new(self, node: ir.Node) -> bool:
        op = op_name(node)
        if op in self._noted:
            return False
        self._noted.add(op)
        return True

    def limits(self, node: ir.Node, limits: Iterable[str]) -> None:
        """Say where the numbers of the call are not PyTorch's."""
        op = op_name(node)
        for limit in limits:
            if (op, limit) not in self._limits:
                self._limits.add((op, limit))
                self._diagnostics.report(SEMANTICS_LIMITED, location=location_of(node), op=op, limit=limit)
