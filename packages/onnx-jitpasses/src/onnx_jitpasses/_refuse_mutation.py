"""The pass :class:`RefuseMutation`."""

from __future__ import annotations

import onnx_ir as ir

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.dialect import Effect, effects_of, op_name
from onnx_ir_capture.lowering import location_of
from onnx_jitpasses._base import DialectPass, Guarantee
from onnx_jitpasses._functionalize import unproven_reason
from onnx_jitpasses._graphs import all_nodes, mutated
from onnx_jitpasses.rules import IN_PLACE_WRITE

__all__ = ["RefuseMutation"]


class RefuseMutation(DialectPass):
    """Reports the in-place writes that are left, at their source lines.

    It changes nothing and raises nothing. The context then holds one error of rule JIT001 per call that could
    not be replaced. After a run without one, no node writes.
    """

    gives = frozenset([Guarantee.NO_WRITES])

    def __init__(self, diagnostics: DiagnosticContext) -> None:
        self._diagnostics = diagnostics
        self._has_found = False

    @classmethod
    def create(cls, diagnostics: DiagnosticContext) -> RefuseMutation:
        """The pass, reporting to the context."""
        return cls(diagnostics)

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Report what writes."""
        writers = [node for node in all_nodes(model.graph) if _writes(node)]
        self._has_found = bool(writers)
        # One write that cannot be replaced keeps the others in place, which are no fault of the model's.
        causes = [node for node in writers if unproven_reason(node) is not None or not mutated(node)]
        for node in causes or writers:
            reason = unproven_reason(node) or "it was not looked at"
            self._diagnostics.report(
                IN_PLACE_WRITE, location=location_of(node), op=op_name(node), reason=reason
            )
        return ir.passes.PassResult(model, modified=False)

    def ensures(self, model: ir.Model) -> None:
        """Check that no write is left that was not reported."""
        if not self._has_found:
            super().ensures(model)


def _writes(node: ir.Node) -> bool:
    if mutated(node):
        return True
    # What writes without a mark is a normalisation, or sets an attribute; to ask for all effects takes time.
    # The nodes in a block speak for themselves.
    is_suspect = node.op_type == "SetAttr" or "norm" in node.op_type
    return is_suspect and bool(effects_of(node) & Effect.WRITES)
