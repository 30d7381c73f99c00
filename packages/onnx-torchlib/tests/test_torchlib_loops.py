"""Loops over rows become a Scan; one that does anything else with its iterations stays a Loop."""

from __future__ import annotations

import numpy as np
import onnx
import onnx.reference
import onnx_ir as ir
import onnxruntime
import pytest

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.contracts import Target
from onnx_ir_capture.dialect import parse_program
from onnx_ir_capture.lowering import lower
from onnx_ir_capture.program import CapturedProgram
from onnx_torchlib import TRANSLATORS

LOOP = """torch dialect 1
graph case(%x: f32[t, 2], %h: f32[2], %c: bool) {
  %n: int = aten::sym_size.int(%x, 0)
  %s: f32[2], %rows: f32[t, 2] = prim::Loop(TRIPS, CONDITION, carried(%h)) (%i: int, %g: SHAPE) {
    %r: f32[2] = aten::select.int(%x, 0, %i) views(0->0)
    %k: SHAPE = aten::add.Tensor(%g, %r, 1)
    %on: bool = prim::Identity(NEXT)
    %y: f32[2] = aten::mul.Tensor(%k, FACTOR)
    yield %on, %k, %y
  }
  return %s, %rows
}
"""
PLAIN = {"TRIPS": "%n", "CONDITION": "True", "NEXT": "True", "SHAPE": "f32[2]", "FACTOR": "%r"}


def lowered(**changes: str) -> onnx.ModelProto:
    text = LOOP
    for word, by in (PLAIN | changes).items():
        text = text.replace(word, by)
    diagnostics = DiagnosticContext("test", "1")
    program = CapturedProgram(parse_program(text), (), (), {}, {}, "text")
    result = lower(program, [TRANSLATORS], Target(20), diagnostics)
    assert not result.failed, list(diagnostics)
    proto = ir.to_proto(result.model)
    onnx.checker.check_model(proto, full_check=True)
    return proto


def kind(model: onnx.ModelProto) -> str:
    (found,) = [str(node.op_type) for node in model.graph.node if node.op_type in ("Loop", "Scan")]
    return found


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({}, "Scan"),
        ({"TRIPS": "2"}, "Loop"),
        ({"CONDITION": "%c"}, "Loop"),
        ({"NEXT": "%c"}, "Loop"),
        ({"SHAPE": "f32[?]"}, "Loop"),
        ({"FACTOR": "%i"}, "Loop"),
    ],
)
def test_only_plain_loops_over_all_rows_become_a_scan(changes: dict[str, str], wanted: str) -> None:
    model = lowered(**changes)
    assert kind(model) == wanted
    if changes.get("TRIPS") == "2":
        return
    x, h = np.array([[1, 2], [3, 4], [5, 7]], np.float32), np.array([10, 20], np.float32)
    feeds = {"x": x, "h": h, "c": np.array(True)}
    last, rows = onnx.reference.ReferenceEvaluator(model).run(None, feeds)
    sums = h + x.cumsum(0)
    factors = np.arange(3, dtype=np.float32)[:, None] if "FACTOR" in changes else x
    np.testing.assert_array_equal(last, sums[-1])
    np.testing.assert_array_equal(rows, sums * factors)


GROWING = """torch dialect 1
graph case(%x: f32[n, 2], %k: int) {
  %s: f32[m, 2], %t: int = prim::Loop(%k, True, carried(%x, 1)) (%i: int, %g: f32[q, 2], %u: int) {
    %y: f32[p, 2] = aten::cat([%g, %x], 0)
    %w: int = aten::add.int(%u, %i)
    %on: bool = prim::Identity(True)
    yield %on, %y, %w
  }
  %z: int = prim::Loop(None, True, carried(0)) (%j: int, %v: int) {
    %higher: int = aten::add.int(%v, 3)
    %below: bool = aten::lt.int(%higher, %t)
    yield %below, %higher
  }
  return %s, %t, %z
}
"""


@pytest.mark.parametrize(("trips", "wanted"), [(0, (3, 1, 3)), (1, (6, 1, 3)), (4, (15, 7, 9))])
def test_carried_values_may_grow(trips: int, wanted: tuple[int, int, int]) -> None:
    diagnostics = DiagnosticContext("test", "1")
    program = CapturedProgram(parse_program(GROWING), (), (), {}, {}, "text")
    result = lower(program, [TRANSLATORS], Target(18), diagnostics)
    assert not result.failed, list(diagnostics)
    proto = ir.to_proto(result.model)
    onnx.checker.check_model(proto, full_check=True)
    session = onnxruntime.InferenceSession(proto.SerializeToString(), providers=["CPUExecutionProvider"])
    rows, total, last = session.run(None, {"x": np.ones((3, 2), np.float32), "k": np.array(trips)})
    assert (len(rows), int(total), int(last)) == wanted
