"""The pass :class:`Functionalize`."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import onnx_ir as ir

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.dialect import OpName, are_marks_exact
from onnx_ir_capture.lowering import location_of
from onnx_jitpasses._base import DialectPass
from onnx_jitpasses._clone import clone_model
from onnx_jitpasses._functional_walk import FunctionalWalk
from onnx_jitpasses._graphs import all_nodes, mutated
from onnx_jitpasses._tensors import Memory
from onnx_jitpasses.rules import DROPPED_STATE

__all__ = ["Functionalize", "StateUpdate", "note_state", "state_updates", "unproven_reason"]

_REASON = "onnx_jitpasses.unproven"
_STATE = "onnx_jitpasses.state"


@dataclasses.dataclass(frozen=True)
class StateUpdate:
    """What a program leaves in one of its inputs or weights.

    ``value`` is a graph output, behind those of the program; ``name`` is that of the input or initializer.
    """

    name: str
    value: ir.Value


class Functionalize(DialectPass):
    """Replaces every in-place write by calls that give new tensors.

    ``aten::add_.Tensor`` becomes ``aten::add.Tensor``; a write to a view becomes the tensor with that part
    replaced, and other views of the tensor are taken anew where they are read later. It goes through blocks:
    what a branch writes becomes an output of the if, what the body of a loop writes a carried value. The
    dtype of what is written stays.

    A write to an input or a weight is dropped with a finding of rule JIT002, or, with ``keep_state``, its
    last value becomes an output of the graph (:func:`state_updates`). Distinct inputs do not share memory.

    An operator of somebody else's library has no functional form. Where ``gives_values`` says so, its
    translation stands for one: the call writes nothing any more, and gives the new values of the arguments
    that it wrote, behind what it returns anyway. An argument that is both written and returned is given once.

    If one write cannot be proven to be right, none is changed, and :func:`unproven_reason` says why.

    Source: the view-and-update scheme of torch-mlir and of functorch's functionalization.
    """

    def __init__(
        self,
        diagnostics: DiagnosticContext | None = None,
        *,
        keep_state: bool = False,
        gives_values: Callable[[OpName], bool] = lambda _: False,
    ) -> None:
        self._diagnostics = diagnostics
        self._keep_state = keep_state
        self._gives_values = gives_values

    @classmethod
    def create(cls, diagnostics: DiagnosticContext) -> Functionalize:
        """The pass, reporting to the context."""
        return cls(diagnostics)

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Change the model."""
        if not any(map(mutated, all_nodes(model.graph))):
            return ir.passes.PassResult(model, modified=False)
        if not self._is_provable(model):
            return ir.passes.PassResult(model, modified=False)
        walk = FunctionalWalk(model.graph, are_marks_exact(model), self._gives_values)
        written = walk.run()
        if self._keep_state:
            self._return_state(model.graph, walk, written)
        elif self._diagnostics is not None:
            _report_dropped(written, self._diagnostics)
        return ir.passes.PassResult(model, modified=True)

    def _is_provable(self, model: ir.Model) -> bool:
        """Try it on a copy, and note on the nodes of the model what cannot be proven."""
        copy, _ = clone_model(model)
        originals = dict(zip(all_nodes(copy.graph), all_nodes(model.graph), strict=True))
        walk = FunctionalWalk(copy.graph, are_marks_exact(model), self._gives_values)
        walk.run()
        for node, reason in walk.unproven:
            originals[node].meta[_REASON] = reason
        return not walk.unproven

    @staticmethod
    def _return_state(graph: ir.Graph, walk: FunctionalWalk, written: list[Memory]) -> None:
        known = graph.meta.get(_STATE, [])
        for memory in written:
            if memory.origin.name in known:  # what is set has been written before
                continue
            graph.outputs.append(walk.last_value(memory, f"{memory.origin.name}_out"))
            note_state(graph, str(memory.origin.name))


def note_state(graph: ir.Graph, name: str) -> None:
    """Note that the last output of the graph is what the program leaves in an input or weight."""
    graph.meta[_STATE] = [*graph.meta.get(_STATE, []), name]


def state_updates(graph: ir.Graph) -> list[StateUpdate]:
    """What the program leaves in its inputs and weights, as :class:`Functionalize` noted it."""
    names = graph.meta.get(_STATE, [])
    values = graph.outputs[len(graph.outputs) - len(names) :]
    return [StateUpdate(name, value) for name, value in zip(names, values, strict=True)]


def unproven_reason(node: ir.Node) -> str | None:
    """Why the pass left this in-place call as it was; None if the call itself is not the cause."""
    reason = node.meta.get(_REASON)
    return reason if isinstance(reason, str) else None


def _report_dropped(written: list[Memory], diagnostics: DiagnosticContext) -> None:
    for memory in written:
        kind = "weight" if memory.origin.is_initializer() else "input"
        first, *others = memory.writers
        diagnostics.report(
            DROPPED_STATE,
            location=location_of(first),
            related=[location_of(node) for node in others[:2]],
            kind=kind,
            name=memory.origin.name,
        )
