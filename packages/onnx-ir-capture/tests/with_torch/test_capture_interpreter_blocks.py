"""Branches and loops in the interpreter, on graphs written by hand."""

from __future__ import annotations

import onnx_ir as ir
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from onnx_ir_capture.dialect import parse_program, verify
from onnx_ir_capture.interpreter import Interpreter, InterpreterError


def parsed(text: str) -> ir.Model:
    model = parse_program(f"torch dialect 1\n{text}")
    verify(model)
    return model


def run(text: str, *inputs: object) -> list[object]:
    return Interpreter(parsed(text)).run(inputs)


NESTED_IF = """
graph main(%outer: bool, %inner: b8[], %x: f32[2]) {
  %two: f32[2] = aten::add.Tensor(%x, 1, 1)
  %r: f32[2] = prim::If(%outer) {
    %s: f32[2] = prim::If(%inner) {
      %a: f32[2] = aten::mul.Tensor(%two, %x)
      yield %a
    } else {
      %b: f32[2] = aten::neg(%two)
      yield %b
    }
    %t: f32[2] = aten::add.Tensor(%s, %two, 1)
    yield %t
  } else {
    %c: f32[2] = prim::Identity(%x)
    yield %c
  }
  return %r
}
"""


@pytest.mark.parametrize("outer", [False, True])
@pytest.mark.parametrize("inner", [False, True])
def test_nested_branches_see_outer_values(outer: bool, inner: bool) -> None:
    x = torch.tensor([1.0, -3.0])
    two = x + 1
    wanted = (two * x if inner else -two) + two if outer else x
    (result,) = run(NESTED_IF, outer, torch.tensor(inner), x)
    assert isinstance(result, torch.Tensor)
    assert torch.equal(result, wanted)


@pytest.mark.parametrize("condition", [torch.tensor([True]), torch.tensor(1), 1])
def test_condition_is_one_bool(condition: object) -> None:
    text = """
    graph main(%c: ?) {
      %r: int = prim::If(%c) {
        %a: int = aten::add.int(1, 1)
        yield %a
      } else {
        %b: int = aten::add.int(1, 2)
        yield %b
      }
      return %r
    }
    """
    with pytest.raises(InterpreterError, match="neither a bool nor a 0-d bool tensor"):
        Interpreter(parse_program(f"torch dialect 1{text}")).run([condition])


POWERS = """
graph main(%count: int, %limit: f32[], %x: f32[2]) {
  %start: f32[2] = aten::mul.Tensor(%x, 1)
  %c: bool = aten::Bool.Tensor(%limit)
  %last: f32[2], %rows: f32[?, 2], %steps: f32[?] = prim::Loop(%count, %c, carried(%start), captured(%x))
  (%i: int, %y: f32[2], %base: f32[2]) {
    %next: f32[2] = aten::mul.Tensor(%y, %base)
    %step: f32[] = aten::scalar_tensor(%i, dtype.float32, None, None, None)
    %sum: f32[] = aten::sum(%next, None)
    %below: b8[] = aten::lt.Tensor(%sum, %limit)
    %row: f32[2] = prim::Identity(%y)
    yield %below, %next, %row, %step
  }
  return %last, %rows, %steps
}
"""


def powers(count: int, limit: float, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    y, going = x, bool(limit)
    rows: list[torch.Tensor] = []
    steps: list[float] = []
    while len(rows) < count and going:
        rows.append(y)
        steps.append(float(len(steps)))
        y = y * x
        going = bool(y.sum() < limit)
    return y, torch.stack(rows) if rows else torch.empty(0, 2), torch.tensor(steps, dtype=torch.float32)


@given(st.integers(0, 6), st.sampled_from([0.0, 1.0, 20.0, 1e9]))
def test_loop_carries_stacks_and_stops(count: int, limit: float) -> None:
    x = torch.tensor([2.0, 3.0])
    results = run(POWERS, count, torch.tensor(limit), x)
    for result, wanted in zip(results, powers(count, limit, x), strict=True):
        assert isinstance(result, torch.Tensor)
        assert result.dtype == wanted.dtype
        assert torch.equal(result, wanted)


def test_loop_without_bound_stops_by_its_condition() -> None:
    text = """
    graph main(%n: int) {
      %last: int = prim::Loop(None, True, carried(%n), captured()) (%i: int, %v: int) {
        %next: int = aten::floordiv.int(%v, 2)
        %more: bool = aten::gt.int(%next, 3)
        yield %more, %next
      }
      return %last
    }
    """
    assert run(text, 100) == [3]


STACK_OF_NAMED = """
graph main(%count: int, %x: bf16[batch, 3], %y: f32[width]) {
  %rows: bf16[?, ROW] = prim::Loop(%count, True, carried(), captured(%x)) (%i: int, %z: bf16[batch, 3]) {
    %row: bf16[ROW] = aten::relu(%z)
    yield True, %row
  }
  return %rows
}
"""


@pytest.mark.parametrize("count", [0, 2])
def test_stack_of_no_rows_takes_named_sizes_from_the_inputs(count: int) -> None:
    x = torch.ones(5, 3, dtype=torch.bfloat16)
    (rows,) = run(STACK_OF_NAMED.replace("ROW", "batch, 3"), count, x, torch.ones(4))
    assert isinstance(rows, torch.Tensor)
    assert torch.equal(rows, torch.stack([x] * 2)[:count])


@pytest.mark.parametrize("row", ["?, 3", "2*batch, 3"])
def test_stack_of_no_rows_and_unknown_size_is_refused(row: str) -> None:
    with pytest.raises(InterpreterError, match=r"the size of a row of %rows .* is not among"):
        run(STACK_OF_NAMED.replace("ROW", row), 0, torch.ones(5, 3, dtype=torch.bfloat16), torch.ones(4))


def test_stack_of_no_rows_and_unknown_rank_is_refused() -> None:
    text = STACK_OF_NAMED.replace("[?, ROW]", "[...]").replace("[ROW]", "[...]")
    with pytest.raises(InterpreterError, match="declares no shape"):
        run(text, 0, torch.ones(5, 3, dtype=torch.bfloat16), torch.ones(4))


def test_rows_keep_what_they_were_when_yielded() -> None:
    text = """
    graph main(%x: f32[2]) {
      %start: f32[2] = aten::clone(%x, None)
      %rows: f32[?, 2] = prim::Loop(3, True, carried(), captured(%start)) (%i: int, %v: f32[2]) {
        %w: f32[2] = aten::add_.Tensor(%v, 1, 1) mutates(0) views(0 -> 0)
        yield True, %w
      }
      return %rows
    }
    """
    (rows,) = run(text, torch.zeros(2))
    assert isinstance(rows, torch.Tensor)
    assert rows.tolist() == [[1, 1], [2, 2], [3, 3]]


def test_write_in_a_loop_spares_the_input_and_reaches_its_views() -> None:
    text = """
    graph main(%x: f32[2, 2]) {
      %row: f32[2] = aten::select.int(%x, 0, 1) views(0 -> 0)
      %last: f32[2, 2] = prim::Loop(3, True, carried(%x), captured(%row))
      (%i: int, %v: f32[2, 2], %r: f32[2]) {
        %copy: f32[2] = aten::clone(%r, None)
        %w: f32[2, 2] = aten::add_.Tensor(%v, %copy, 1) mutates(0) views(0 -> 0)
        yield True, %w
      }
      %both: f32[2, 2] = aten::add.Tensor(%last, %row, 1)
      return %both
    }
    """
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    kept = x.clone()
    model = x.clone()
    row = model[1]
    for _ in range(3):
        model.add_(row.clone())
    (result,) = run(text, x)
    assert isinstance(result, torch.Tensor)
    assert torch.equal(x, kept)
    assert torch.equal(result, model + row)


def test_error_in_a_block_names_the_inner_node() -> None:
    text = """
    graph main(%x: f32[2, 3]) {
      %r: f32[...] = prim::If(True) {
        %y: f32[...] = aten::mm(%x, %x) @encoder.layer model.py:12
        yield %y
      } else {
        %z: f32[...] = prim::Identity(%x)
        yield %z
      }
      return %r
    }
    """
    with pytest.raises(InterpreterError) as caught:
        run(text, torch.ones(2, 3))
    message = str(caught.value)
    assert message.startswith("aten::mm failed: ")
    assert "%y = aten::mm(float32[2, 3], float32[2, 3])" in message
    assert "at: model.py:12" in message
    assert "in module: encoder.layer" in message
    assert caught.value.node.op_type == "mm"
    assert isinstance(caught.value.__cause__, RuntimeError)
