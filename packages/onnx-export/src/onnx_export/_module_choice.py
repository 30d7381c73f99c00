"""Which modules become functions of the file."""

from __future__ import annotations

from collections.abc import Collection

import onnx_ir as ir
import torch

from onnx_diagnostics import DiagnosticContext, Location
from onnx_export._module_groups import with_blocks
from onnx_export.rules import MODULE_INLINE
from onnx_ir_capture.dialect import ModuleCall
from onnx_ir_capture.lowering import module_calls

__all__ = ["ModuleChoice"]


class ModuleChoice:
    """All modules, none, or those of some classes; false if there is nothing to choose from.

    Args:
        given: what a caller asked for.

    Raises:
        TypeError: it holds something that is no class of modules.
    """

    def __init__(self, given: object) -> None:
        if not isinstance(given, bool | Collection):
            raise TypeError(f"modules become functions by True or a set of their classes, not by {given!r}")
        self._all = given is True
        self._classes: set[str] = set()
        for kind in () if isinstance(given, bool) else given:
            if not isinstance(kind, type) or not issubclass(kind, torch.nn.Module):
                raise TypeError(f"modules become functions by a set of their classes, and {kind!r} is none")
            self._classes.add(f"{kind.__module__}.{kind.__qualname__}")

    def __bool__(self) -> bool:
        return self._all or bool(self._classes)

    def __contains__(self, call: ModuleCall) -> bool:
        return self._all or call.class_name in self._classes

    def report_missing(self, graph: ir.Graph, diagnostics: DiagnosticContext) -> None:
        """Note the classes of which a lowered graph has no module."""
        called = {call.class_name for node in with_blocks(graph) for call in module_calls(node)}
        for name in sorted(self._classes - called):
            diagnostics.report(
                MODULE_INLINE,
                location=Location.named(class_name=name),
                module=name,
                reason="no operator was captured in a call of a submodule of exactly this class",
            )
