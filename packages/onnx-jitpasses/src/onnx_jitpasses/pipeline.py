"""The cleanup of a captured program: which passes run, in which order, and why."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence

import onnx_ir as ir

from onnx_diagnostics import ConversionError, Diagnostic, DiagnosticContext
from onnx_ir_capture.dialect import OpName
from onnx_ir_capture.program import CapturedProgram, InputSpec, OutputSpec
from onnx_jitpasses._attribute_state import AttributeState
from onnx_jitpasses._base import DialectPass, Guarantee
from onnx_jitpasses._batch_statistics import BatchStatistics
from onnx_jitpasses._clone import clone_model
from onnx_jitpasses._common_subexpressions import CommonSubexpressions
from onnx_jitpasses._complex_to_pairs import ComplexToPairs
from onnx_jitpasses._dead_code import DeadCode
from onnx_jitpasses._edit import current_value
from onnx_jitpasses._eval_mode import EvalMode, note_training_mode
from onnx_jitpasses._fold_constants import FoldConstants
from onnx_jitpasses._functionalize import Functionalize, StateUpdate, state_updates
from onnx_jitpasses._graphs import all_values
from onnx_jitpasses._refuse_mutation import RefuseMutation
from onnx_jitpasses._remove_assertions import RemoveAssertions
from onnx_jitpasses._remove_no_ops import RemoveNoOps
from onnx_jitpasses._resolve_scripts import ResolveScripts
from onnx_jitpasses._unique_names import UniqueNames
from onnx_jitpasses._unpack_quantized import UnpackQuantized
from onnx_jitpasses._view_to_reshape import ViewToReshape
from onnx_jitpasses.rules import COMPLEX_OPERATOR, QUANTIZED_OPERATOR

__all__ = ["PIPELINE", "PassedProgram", "StateUpdate", "Step", "check_order", "run_pipeline"]


@dataclasses.dataclass(frozen=True)
class Step:
    """A pass in its place of the pipeline, and why it stands there."""

    kind: type[DialectPass]
    reason: str


PIPELINE: tuple[Step, ...] = (
    Step(
        AttributeState, "before all others: what is set is from here on an output like any other, or nothing"
    ),
    Step(ResolveScripts, "before writes are looked at: what is never run writes nothing"),
    Step(
        EvalMode, "before writes: statistics are no longer written, and dropout becomes an alias of its input"
    ),
    Step(BatchStatistics, "statistics that are written after all are so by calls that the next passes know"),
    Step(RemoveAssertions, "they read values that a write may change, and would keep it in place"),
    Step(RemoveNoOps, "one tensor gets one name, so that the next pass sees who reads it"),
    Step(Functionalize, "from here on a value never changes, where that can be had"),
    Step(RefuseMutation, "all that follows is right only for programs without writes"),
    Step(UnpackQuantized, "after writes, and before all that takes a dtype for what a tensor holds"),
    Step(FoldConstants, "sizes and arguments become constants, which shows more no-ops"),
    Step(ViewToReshape, "copies that only order elements are needed no more"),
    Step(RemoveNoOps, "again: copies may go now, and arguments are known"),
    Step(ComplexToPairs, "after copies went, and before equal reads of parts are merged"),
    Step(CommonSubexpressions, "after the others, which leave equal constants and reads of sizes behind"),
    Step(DeadCode, "last of those that change the graph: what all of them left unused"),
    Step(UniqueNames, "names of what is left"),
)
"""The passes in their order. :func:`check_order` says whether each has what it needs."""


@dataclasses.dataclass(frozen=True)
class PassedProgram:
    """A program after the passes, and how it corresponds to the captured one.

    ``value_map`` has, for each value of the captured graph that is still computed, the value of
    ``program.model.graph`` that holds the same numbers; a value that was folded into another one maps to
    that, one that is not computed any more is missing. What a captured node writes in place later on is
    not meant: the numbers are those at the moment when the captured value was made.
    """

    program: CapturedProgram
    value_map: Mapping[ir.Value, ir.Value]
    state: tuple[StateUpdate, ...] = ()
    """What the program leaves in inputs and weights, where it was asked for: further graph outputs."""


def check_order(steps: Sequence[Step]) -> None:
    """Check that each pass stands where what it needs holds.

    Raises:
        ValueError: a pass needs what no earlier one gives, or what one has broken since.
    """
    holds: frozenset[Guarantee] = frozenset()
    for step in steps:
        missing = step.kind.needs - holds
        if missing:
            needed = " and ".join(sorted(guarantee.value for guarantee in missing))
            raise ValueError(f"{step.kind.__name__} stands too early: it needs that {needed}")
        holds = (holds - step.kind.breaks) | step.kind.gives


def run_pipeline(
    program: CapturedProgram,
    diagnostics: DiagnosticContext,
    *,
    eval_mode: bool = True,
    keep_state: bool = False,
    modules_apart: bool = False,
    gives_values: Callable[[OpName], bool] = lambda _: False,
) -> PassedProgram:
    """Clean up a copy of ``program``; the program itself is left as it is, and the weights are shared.

    Args:
        program: what a front end captured.
        diagnostics: gets a finding per in-place write that cannot be made functional, and per input or weight
            whose change is dropped.
        eval_mode: switch dropout and normalisation to evaluation mode, whatever the capture says; but where
            the model was captured in that mode, what is in training mode is meant so and stays.
        keep_state: return what the program leaves in its inputs and weights as further outputs.
        modules_apart: let each module compute what it computes, though another has computed the same.
        gives_values: whether the translation of an operator that writes its arguments gives their new values;
            see :class:`Functionalize`.

    Raises:
        ConversionError: writes are left, or calls on complex numbers; it lists all of them with their source
            lines.
    """
    switches = eval_mode and not program.in_eval_mode
    steps = [step for step in PIPELINE if switches or step.kind is not EvalMode]
    check_order(steps)
    stage = diagnostics.child()
    model, copies = clone_model(program.model)
    if eval_mode and not switches:
        note_training_mode(model.graph, stage)
    for step in steps:
        if step.kind is Functionalize:
            Functionalize(stage, keep_state=keep_state, gives_values=gives_values)(model)
        elif step.kind is AttributeState:
            AttributeState(stage, keep_state=keep_state)(model)
        elif step.kind is CommonSubexpressions:
            CommonSubexpressions(modules_apart=modules_apart)(model)
        else:
            step.kind.create(stage)(model)
        if stage.has_errors:
            raise ConversionError(_refusal(stage.errors), stage.errors)
    passed = _with_model(program, model, copies)
    return PassedProgram(passed, _value_map(model.graph, copies), tuple(state_updates(model.graph)))


def _refusal(errors: Sequence[Diagnostic]) -> str:
    count = len(errors)
    if all(error.rule == QUANTIZED_OPERATOR for error in errors):
        what = "an operation computes" if count == 1 else f"{count} operations compute"
        return f"The model cannot be exported: {what} with quantized tensors in a way that ONNX has not."
    if all(error.rule == COMPLEX_OPERATOR for error in errors):
        what = "an operation computes" if count == 1 else f"{count} operations compute"
        return f"The model cannot be exported: {what} with complex numbers, for which ONNX has no operators."
    what = "an operation writes" if count == 1 else f"{count} operations write"
    return f"The model cannot be exported: {what} in place, where ONNX has no such thing."


def _with_model(
    program: CapturedProgram, model: ir.Model, copies: Mapping[ir.Value, ir.Value]
) -> CapturedProgram:
    """The program around another graph of the same inputs and outputs."""
    weights = {name: kind for name, kind in program.weights.items() if name in model.graph.initializers}
    return dataclasses.replace(
        program,
        model=model,
        inputs=tuple(_input(spec, copies) for spec in program.inputs),
        outputs=tuple(_outputs(program, model.graph)),
        weights=weights,
    )


def _input(spec: InputSpec, copies: Mapping[ir.Value, ir.Value]) -> InputSpec:
    return spec if spec.value is None else dataclasses.replace(spec, value=copies[spec.value])


def _outputs(program: CapturedProgram, graph: ir.Graph) -> Iterable[OutputSpec]:
    """The outputs by their place, which no pass changes; the value there may be another one."""
    places = {output: place for place, output in enumerate(program.model.graph.outputs)}
    for spec in program.outputs:
        yield (
            spec if spec.value is None else dataclasses.replace(spec, value=graph.outputs[places[spec.value]])
        )


def _value_map(graph: ir.Graph, copies: Mapping[ir.Value, ir.Value]) -> dict[ir.Value, ir.Value]:
    alive = set(all_values(graph))
    found = ((captured, current_value(copy)) for captured, copy in copies.items())
    return {captured: value for captured, value in found if value in alive}
