"""The pipeline: order, copy, correspondence of values, refusals with their lines."""

from __future__ import annotations

import dataclasses

import numpy as np
import onnx_ir as ir
import pytest

from onnx_diagnostics import ConversionError, DiagnosticContext
from onnx_ir_capture.dialect import get_source, parse_program, print_program, verify
from onnx_ir_capture.program import CapturedProgram, InputSpec, OutputSpec, WeightKind
from onnx_jitpasses import (
    CommonSubexpressions,
    DialectPass,
    EvalMode,
    Guarantee,
    RefuseMutation,
    UniqueNames,
    ViewToReshape,
)
from onnx_jitpasses.pipeline import PIPELINE, PassedProgram, Step, check_order, run_pipeline
from onnx_jitpasses.rules import (
    ASSERTION_DROPPED,
    COMPLEX_OPERATOR,
    DROPPED_STATE,
    IN_PLACE_WRITE,
    MODE_KEPT,
    MODE_SWITCHED,
    PASS_RULES,
    QUANTIZED_OPERATOR,
    RAISE_DROPPED,
)

PROGRAM = """
torch dialect 1
graph main(%x: f32[batch, 3], %c: bool) {
  weight %w: f32[3] = [1.0, 2.0, 3.0]
  %a: f32[batch, 3] = aten::mul.Tensor(%x, %w) @ layer.0 model.py:10
  %b: f32[batch, 3] = aten::relu_(%a) mutates(0) views(0->0) @ layer.0 model.py:11
  %d: f32[batch, 3] = aten::dropout(%b, 0.5, True) @ drop model.py:12
  %e: f32[batch, 3] = aten::detach(%d) views(0->0)
  %dead: f32[batch, 3] = aten::exp(%e)
  %y: f32[batch, 3] = prim::If(%c) {
    %f: f32[batch, 3] = aten::alias(%e) views(0->0)
    %g: f32[batch, 3] = aten::neg(%f)
    yield %g
  } else {
    %h: f32[batch, 3] = prim::Identity(%e)
    yield %h
  }
  return %a, %y
}
"""

WRITES = """
torch dialect 1
graph main(%x: f32[2, 3]) {
  weight %count: f32[]
  %n: f32[] = aten::add_.Scalar(%count, 1, 1) mutates(0) views(0->0) @ norm model.py:7
  %a: f32[2, 3] = aten::exp(%x)
  %v: f32[6] = aten::reshape(%a, [6]) views(0->0)
  %b: f32[6] = aten::zero_(%v) mutates(0) views(0->0) @ mask model.py:9
  aten::_foreach_add_.Scalar([%x], 1) mutates(0) @ step model.py:10
  %y: f32[2, 3] = aten::relu(%a) @ act model.py:11
  return %y
}
"""


def capture(text: str) -> CapturedProgram:
    model = parse_program(text)
    verify(model)
    graph = model.graph
    return CapturedProgram(
        model=model,
        inputs=(*(InputSpec(str(value.name), value) for value in graph.inputs), InputSpec("k", None, 3)),
        outputs=(OutputSpec(None, None), *map(OutputSpec, reversed(graph.outputs))),
        weights=dict.fromkeys(graph.initializers, WeightKind.PARAMETER),
        dimensions={},
        route="test",
    )


def by_name(program: CapturedProgram) -> dict[str, ir.Value]:
    graph = program.model.graph
    values = [*graph.inputs, *graph.initializers.values()]
    values += [output for node in graph for output in node.outputs]
    return {value.name or "": value for value in values}


def passed(program: CapturedProgram) -> PassedProgram:
    return run_pipeline(program, DiagnosticContext("test", "1"))


def test_the_captured_program_stays_as_it_was() -> None:
    program = capture(PROGRAM)
    before = print_program(program.model, sources=True, max_elements=3)
    metas = [dict(node.meta) for node in program.model.graph]
    result = passed(program)
    assert print_program(program.model, sources=True, max_elements=3) == before
    assert [dict(node.meta) for node in program.model.graph] == metas
    verify(program.model)
    verify(result.program.model)
    own = set(by_name(program).values())
    assert own.isdisjoint(by_name(result.program).values())


def test_weights_are_shared_and_sources_kept() -> None:
    program = capture(PROGRAM)
    graph = passed(program).program.model.graph
    assert graph.initializers["w"].const_value is program.model.graph.initializers["w"].const_value
    lines = {
        node.op_type: source.frames[0].line
        for node in graph
        if (source := get_source(node)) and source.frames
    }
    assert lines == {"mul": 10, "relu": 11}


def test_specs_speak_of_the_copy() -> None:
    result = passed(capture(PROGRAM)).program
    graph = result.model.graph
    assert [spec.value for spec in result.inputs] == [*graph.inputs, None]
    assert [spec.value for spec in result.outputs] == [None, *reversed(graph.outputs)]
    assert [value.name for value in graph.outputs] == ["a", "y"]
    assert result.weights == {"w": WeightKind.PARAMETER}


def test_values_correspond() -> None:
    program = capture(PROGRAM)
    result = passed(program)
    values, graph = by_name(program), result.program.model.graph
    relu = next(node for node in graph if node.op_type == "relu")
    mapped = {name: result.value_map.get(value) for name, value in values.items()}
    # Before the write, %a holds the product; as an output it shows what was written.
    assert mapped["a"] is relu.inputs[0]
    assert mapped["b"] is mapped["d"] is mapped["e"] is relu.outputs[0]
    assert mapped["dead"] is None
    assert mapped["y"] is graph.outputs[1]
    assert graph.outputs[0].producer() is not relu
    assert mapped["x"] is graph.inputs[0]
    assert mapped["w"] is graph.initializers["w"]


def test_a_passed_program_can_be_passed_again() -> None:
    once = passed(capture(PROGRAM)).program
    again = passed(once)
    assert print_program(again.program.model) == print_program(once.model)
    alive = set(by_name(again.program).values())
    assert {again.value_map[value] for value in by_name(once).values()} == alive


def test_training_mode_stays_if_asked_for() -> None:
    result = run_pipeline(capture(PROGRAM), DiagnosticContext("test", "1"), eval_mode=False)
    assert "aten::dropout(%b, 0.5, True)" in print_program(result.program.model)


def test_a_switched_operator_is_reported_once() -> None:
    diagnostics = DiagnosticContext("test", "1")
    result = run_pipeline(capture(PROGRAM), diagnostics)
    assert "dropout" not in print_program(result.program.model)
    assert [finding.message.split()[0] for finding in diagnostics.of(MODE_SWITCHED)] == ["aten::dropout"]


def test_training_mode_stays_where_the_model_asks_for_it() -> None:
    program = dataclasses.replace(capture(PROGRAM), in_eval_mode=True)
    diagnostics = DiagnosticContext("test", "1")
    result = run_pipeline(program, diagnostics)
    assert "aten::dropout(%b, 0.5, True)" in print_program(result.program.model)
    assert [finding.message.split()[0] for finding in diagnostics.of(MODE_KEPT)] == ["aten::dropout"]


def test_every_write_that_is_left_is_reported_with_its_line() -> None:
    diagnostics = DiagnosticContext("test", "1")
    with pytest.raises(ConversionError, match="2 operations write in place") as caught:
        run_pipeline(capture(WRITES), diagnostics)
    found = caught.value.diagnostics
    assert found == diagnostics.diagnostics
    assert {diagnostic.rule for diagnostic in found} == {IN_PLACE_WRITE}
    places = []
    for diagnostic in found:
        assert diagnostic.location is not None
        assert diagnostic.location.physical is not None
        assert diagnostic.location.physical.region is not None
        places.append(diagnostic.location.physical.region.start_line)
    assert places == [9, 10]
    messages = [diagnostic.message for diagnostic in found]
    assert "%v may share memory with %a, and %a is read later by aten::relu" in messages[0]
    assert "aten::_foreach_add_.Scalar" in messages[1]
    assert "its tensors share memory" in messages[1]


def test_one_write_is_one_operation() -> None:
    text = WRITES.replace("aten::_foreach_add_.Scalar([%x], 1) mutates(0) @ step model.py:10", "")
    with pytest.raises(ConversionError, match="an operation writes in place"):
        passed(capture(text))


STATE = """
torch dialect 1
graph main(%x: f32[2, 3]) {
  weight %count: f32[]
  %n: f32[] = aten::add_.Scalar(%count, 1, 1) mutates(0) views(0->0) @ norm model.py:7
  %y: f32[2, 3] = aten::add_.Tensor(%x, %n, 1) mutates(0) views(0->0) @ act model.py:11
  return %y
}
"""


def test_changes_of_inputs_and_weights_are_dropped_with_a_finding() -> None:
    diagnostics = DiagnosticContext("test", "1")
    result = run_pipeline(capture(STATE), diagnostics)
    assert result.state == ()
    assert len(result.program.model.graph.outputs) == 1
    messages = [finding.message for finding in diagnostics.of(DROPPED_STATE)]
    assert len(messages) == 2
    assert "its weight %count" in messages[0]
    assert "its input %x" in messages[1]


def test_changes_of_inputs_and_weights_become_outputs() -> None:
    diagnostics = DiagnosticContext("test", "1")
    result = run_pipeline(capture(STATE), diagnostics, keep_state=True)
    graph = result.program.model.graph
    assert [(update.name, update.value) for update in result.state] == [
        ("count", graph.outputs[1]),
        ("x", graph.outputs[2]),
    ]
    assert [value.name for value in graph.outputs] == ["y", "count_out", "x_out"]
    assert not diagnostics.diagnostics


def test_refusals_of_others_do_not_count() -> None:
    diagnostics = DiagnosticContext("test", "1")
    diagnostics.report(IN_PLACE_WRITE, op="aten::old_", reason="another program")
    run_pipeline(capture(PROGRAM), diagnostics)


def test_checking_alone_changes_and_raises_nothing() -> None:
    diagnostics = DiagnosticContext("test", "1")
    model = parse_program(WRITES)
    result = RefuseMutation(diagnostics)(model)
    assert not result.modified
    assert len(diagnostics.of(IN_PLACE_WRITE)) == 3


def test_hidden_writes_of_statistics_are_reported() -> None:
    text = """torch dialect 1
    graph main(%x: f32[5, 3]) {
      weight %m: f32[3]
      weight %v: f32[3]
      %y: f32[5, 3] = aten::cudnn_batch_norm(%x, None, None, %m, %v, True, 0.1, 1e-05)
      return %y
    }"""
    with pytest.raises(ConversionError, match="aten::cudnn_batch_norm writes in place"):
        run_pipeline(capture(text), DiagnosticContext("test", "1"), eval_mode=False)
    assert "False" in print_program(passed(capture(text)).program.model)


def test_the_order_is_right_and_has_reasons() -> None:
    check_order(PIPELINE)
    check_order([step for step in PIPELINE if step.kind is not EvalMode])
    assert all(step.reason for step in PIPELINE)


@pytest.mark.parametrize("kind", [CommonSubexpressions, ViewToReshape])
def test_a_pass_that_stands_too_early_is_refused(kind: type[DialectPass]) -> None:
    with pytest.raises(ValueError, match=rf"{kind.__name__} stands too early: .*no node writes"):
        check_order([Step(EvalMode, "first"), Step(kind, "wrong"), Step(RefuseMutation, "late")])
    check_order([Step(RefuseMutation, "before"), Step(kind, "right")])


def test_what_a_pass_breaks_must_be_given_again() -> None:
    class Writes(UniqueNames):
        breaks = frozenset([Guarantee.NO_WRITES])

    steps = [Step(RefuseMutation, ""), Step(Writes, ""), Step(CommonSubexpressions, "")]
    with pytest.raises(ValueError, match="CommonSubexpressions stands too early"):
        check_order(steps)


@pytest.mark.parametrize("run", [CommonSubexpressions(), ViewToReshape()])
def test_needs_are_checked_on_the_model_too(run: DialectPass) -> None:
    with pytest.raises(ir.passes.PreconditionError, match="no node writes a value in place"):
        run(parse_program(WRITES))


def test_names_that_must_stay_are_distinct() -> None:
    one, other = (ir.Value(name="x", type=ir.TensorType(ir.DataType.FLOAT)) for _ in range(2))
    model = ir.Model(ir.Graph([one, other], [], nodes=[], name="main"), ir_version=10)
    with pytest.raises(ir.passes.PreconditionError, match="'x'"):
        UniqueNames()(model)


def test_no_weight_is_read() -> None:
    class Unreadable(ir.Tensor[np.ndarray[tuple[int, ...], np.dtype[np.float32]]]):
        def numpy(self) -> np.ndarray[tuple[int, ...], np.dtype[np.generic]]:
            raise AssertionError("a pass reads a weight")

    program = capture(PROGRAM)
    program.model.graph.initializers["w"].const_value = Unreadable(np.ones(3, np.float32), name="w")
    passed(program)


def test_rules_have_the_prefix_of_the_package() -> None:
    assert PASS_RULES.prefix == "JIT"
    assert list(PASS_RULES) == [
        IN_PLACE_WRITE,
        DROPPED_STATE,
        MODE_SWITCHED,
        MODE_KEPT,
        COMPLEX_OPERATOR,
        RAISE_DROPPED,
        QUANTIZED_OPERATOR,
        ASSERTION_DROPPED,
    ]
