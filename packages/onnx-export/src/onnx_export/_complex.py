"""Complex numbers, which no lowering can express yet."""

from __future__ import annotations

import onnx_ir as ir

from onnx_diagnostics import ConversionError, DiagnosticContext
from onnx_ir_capture.lowering import location_of
from onnx_ir_capture.rules import UNSUPPORTED_ARGUMENTS, UNSUPPORTED_CONSTRUCT

__all__ = ["refuse_complex"]

_COMPLEX = (ir.DataType.COMPLEX64, ir.DataType.COMPLEX128)
_REASON = "ONNX Runtime computes with real numbers only"
_ADVICE = "compute with the real and the imaginary part as tensors of their own"


def refuse_complex(graph: ir.Graph, diagnostics: DiagnosticContext) -> None:
    """Refuse a captured graph with complex values.

    Raises:
        ConversionError: there are such values; every one is reported, results of operators at their lines.
    """
    stage = diagnostics.child()
    given = [("input", value) for value in graph.inputs]
    given += [("weight", value) for value in graph.initializers.values() if value.uses()]
    for kind, value in given:
        if value.dtype in _COMPLEX:
            stage.report(
                UNSUPPORTED_CONSTRUCT,
                construct=f"the complex {kind} {value.name!r}",
                reason=_REASON,
                advice=_ADVICE,
            )
    for node in graph.all_nodes():
        if node.domain != "prim" and any(output.dtype in _COMPLEX for output in node.outputs):
            location = location_of(node)
            reason = f"its result is complex, and {_REASON}; {_ADVICE}"
            stage.report(UNSUPPORTED_ARGUMENTS, location=location, op=location.op, reason=reason)
    if stage.has_errors:
        raise ConversionError("the model computes with complex numbers", stage.errors)
