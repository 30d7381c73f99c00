"""On-demand decomposition: calls that no table translates, taken apart and cleaned up."""

from __future__ import annotations

import dataclasses

import onnx_ir as ir

from onnx_diagnostics import ConversionError, DiagnosticContext
from onnx_export.__about__ import __version__
from onnx_ir_capture.contracts import Decomposition, Unsupported
from onnx_ir_capture.fx import CallDecomposer, call_signature
from onnx_ir_capture.program import CapturedProgram, InputSpec, OutputSpec
from onnx_jitpasses.pipeline import run_pipeline

__all__ = ["OnDemandDecomposer"]


class OnDemandDecomposer:
    """Takes single calls of one program apart; equal calls only once.

    Args:
        program: whose calls they are.
    """

    def __init__(self, program: CapturedProgram) -> None:
        self._program = program
        self._decomposer: CallDecomposer | None = None
        self._done: dict[tuple[object, ...], Decomposition] = {}

    def decompose(self, node: ir.Node) -> Decomposition | None:
        """``node`` as a graph without in-place writes, or None if its operator has no decomposition.

        Raises:
            Unsupported: it has one that cannot be used; the reason completes "its decomposition …".
        """
        if self._decomposer is None:  # most programs need none, and reading their sizes takes time
            self._decomposer = CallDecomposer(self._program)
        signature = call_signature(node)
        found = self._done.get(signature)
        if found is not None:
            return dataclasses.replace(found, operands=self._decomposer.operands(node))
        found = self._decomposer.decompose(node)
        if found is None:
            return None
        clean = dataclasses.replace(found, graph=_cleaned(found.graph))
        if clean.is_general:
            self._done[signature] = clean
        return clean


def _cleaned(graph: ir.Graph) -> ir.Graph:
    """The graph after the passes that every program goes through."""
    program = CapturedProgram(
        model=ir.Model(graph, ir_version=10),
        inputs=tuple(InputSpec(str(value.name), value) for value in graph.inputs),
        outputs=tuple(OutputSpec(value) for value in graph.outputs),
        weights={},
        dimensions={},
        route="decomposition",
    )
    diagnostics = DiagnosticContext("onnx-export", __version__)
    try:
        # The modes of dropout and the like were settled in the call that this is made of.
        passed = run_pipeline(program, diagnostics, eval_mode=False)
    except ConversionError as error:
        raise Unsupported(f"writes in place: {error.diagnostics[0].message}") from error
    return passed.program.model.graph
