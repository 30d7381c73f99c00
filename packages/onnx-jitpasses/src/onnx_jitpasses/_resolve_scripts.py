"""The pass :class:`ResolveScripts`."""

from __future__ import annotations

import onnx_ir as ir

from onnx_diagnostics import DiagnosticContext
from onnx_jitpasses._base import DialectPass
from onnx_jitpasses._fold_constants import FoldConstants
from onnx_jitpasses._functional_lists import LIST_WRITERS, FunctionalLists
from onnx_jitpasses._graphs import all_nodes
from onnx_jitpasses._hand_in import HandIn
from onnx_jitpasses._optional_values import OptionalValues
from onnx_jitpasses._ranges import Ranges
from onnx_jitpasses._remove_raises import RemoveRaises
from onnx_jitpasses._resolve_branches import ResolveBranches
from onnx_jitpasses._size_lists import SizeLists
from onnx_jitpasses._split_tuples import SplitTuples
from onnx_jitpasses._stand_ins import StandIns
from onnx_jitpasses._unpack_tuples import UnpackTuples
from onnx_jitpasses._unroll_loops import UnrollLoops

__all__ = ["ResolveScripts"]

_FORMS = frozenset(["If", "Loop", "TupleUnpack", "TupleIndex", "ListUnpack", "eq", "size", *LIST_WRITERS])


class ResolveScripts(DialectPass):
    """Takes what scripted code decides by types and constants out of the program.

    Errors that it raises, branches on ranks, dtypes and constants, changes of lists, values that may be None,
    and tuples that are packed and unpacked, until nothing is left that can be resolved: a branch that goes
    may let the next one be decided.
    """

    def __init__(self, diagnostics: DiagnosticContext | None = None) -> None:
        self._raises = RemoveRaises(diagnostics)

    @classmethod
    def create(cls, diagnostics: DiagnosticContext) -> ResolveScripts:
        """The pass, reporting to the context."""
        return cls(diagnostics)

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Change the model."""
        modified = False
        while any(node.op_type in _FORMS for node in all_nodes(model.graph)):
            FoldConstants()(model)
            # What is raised on a way that is never taken is nothing to tell of.
            steps = (
                *(ResolveBranches(), self._raises, UnrollLoops(), FunctionalLists(), OptionalValues()),
                *(SplitTuples(), UnpackTuples(), SizeLists(), Ranges()),
            )
            changes = [step(model).modified for step in steps]
            if not any(changes):
                break
            modified = True
        modified |= StandIns()(model).modified | HandIn()(model).modified
        return ir.passes.PassResult(model, modified)
