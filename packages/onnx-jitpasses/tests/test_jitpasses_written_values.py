"""Operators of other libraries that write: with a translation that gives the new values, and without."""

from __future__ import annotations

import pytest

from onnx_ir_capture.dialect import OpName, parse_program, print_program, verify
from onnx_jitpasses import Functionalize

PROGRAM = """torch dialect 1
graph main(%x: f32[2, 3], %b: f32[2, 3]) {
  %a: f32[2, 3] = aten::exp(%x)
  %v: f32[3] = aten::select.int(%a, 0, 0) views(0->0)
  mine::step(%v, 2.0) mutates(0)
  %c: f32[2, 3] = aten::cos(%x)
  %d: f32[2, 3] = mine::twice_(%c) mutates(0) views(0->0)
  %y: f32[2, 3] = aten::add.Tensor(%a, %c, 1)
  return %y
}
"""
FUNCTIONAL = """torch dialect 1
graph main(%x: f32[2, 3], %b: f32[2, 3]) {
  %a: f32[2, 3] = aten::exp(%x)
  %v: f32[3] = aten::select.int(%a, 0, 0) views(0->0)
  %v_written: f32[3] = mine::step(%v, 2.0)
  %a_select_scatter: f32[2, 3] = aten::select_scatter(%a, %v_written, 0, 0)
  %c: f32[2, 3] = aten::cos(%x)
  %d: f32[2, 3] = mine::twice_(%c)
  %y: f32[2, 3] = aten::add.Tensor(%a_select_scatter, %d, 1)
  return %y
}
"""


def gives_values(op: OpName) -> bool:
    return op.domain == "mine"


def test_the_new_values_stand_behind_the_results() -> None:
    model = parse_program(PROGRAM)
    assert Functionalize(gives_values=gives_values)(model).modified
    assert print_program(model) == print_program(parse_program(FUNCTIONAL))
    verify(model)
    assert not Functionalize(gives_values=gives_values)(model).modified


@pytest.mark.parametrize(
    "call",
    [
        "mine::both(%a, %a) mutates(0)",
        "%w: f32[2, 3] = mine::view(%a, %b) mutates(0) views(0->1)",
    ],
)
def test_what_is_not_certain_stays(call: str) -> None:
    head, _, tail = PROGRAM.partition("  mine::step(%v, 2.0) mutates(0)\n")
    model = parse_program(f"{head}  {call}\n{tail}")
    before = print_program(model)
    assert not Functionalize(gives_values=gives_values)(model).modified
    assert print_program(model) == before


def test_without_a_translation_nothing_changes() -> None:
    model = parse_program(PROGRAM)
    assert not Functionalize()(model).modified
