"""Branches and loops of the dialect in every opset's If and Loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import onnx
import pytest

Array: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.generic]]"
Lower: TypeAlias = "Callable[[str, int], onnx.ModelProto]"
Run: TypeAlias = "Callable[[onnx.ModelProto, tuple[Array, ...]], list[Array]]"

OPSETS = (9, 11, 13, 16, 18, 20, 23, onnx.defs.onnx_opset_version())

BRANCH = """torch dialect 1
graph case(%c: b8[], %x: f32[n]) {
  %y: f32[n] = prim::If(%c) {
    %a: f32[n] = aten::mul.Tensor(%x, %x)
    yield %a
  } else {
    %b: f32[n] = prim::Identity(%x)
    yield %b
  }
  return %y
}
"""

NUMBERS = """torch dialect 1
graph case(%c: b8[], %x: i64[n]) {
  %k: int = prim::If(%c) {
    %two: int = prim::Identity(2)
    yield %two
  } else {
    %five: int = prim::Identity(5)
    yield %five
  }
  %y: i64[n] = aten::mul.Scalar(%x, %k)
  return %y
}
"""

KNOWN = """torch dialect 1
graph case(%x: f32[n]) {
  %y: f32[n] = prim::If(False) {
    %a: f32[n] = aten::mul.Tensor(%x, %x)
    yield %a
  } else {
    %b: f32[n] = aten::add.Tensor(%x, %x, 1)
    yield %b
  }
  return %y
}
"""

# Sums of multiples, and each of them; what is captured stands among the inputs.
LOOP = """torch dialect 1
graph case(%x: f32[n]) {
  %s: f32[n], %rows: f32[t, n] = prim::Loop(TRIPS, True, carried(%x), captured(%x, 3)) BODY {
    %scaled: f32[n] = aten::mul.Scalar(%z, %k)
    %g: f32[n] = aten::add.Tensor(%h, %scaled, 1)
    %on: bool = prim::Identity(True)
    %row: f32[n] = prim::Identity(%g)
    yield %on, %g, %row
  }
  return %s, %rows
}
"""  # TRIPS and BODY are replaced

BODY = "(%i: int, %h: f32[n], %z: f32[n], %k: int)"

NESTED = """torch dialect 1
graph case(%c: b8[], %x: f32[2]) {
  %s: f32[2] = prim::Loop(3, %c, carried(%x)) (%i: int, %h: f32[2]) {
    %g: f32[2] = prim::If(%c) {
      %a: f32[2] = prim::Loop(2, True, carried(%h)) (%j: int, %e: f32[2]) {
        %f: f32[2] = aten::add.Tensor(%e, %h, 1)
        %in: bool = prim::Identity(True)
        yield %in, %f
      }
      yield %a
    } else {
      %b: f32[2] = prim::Identity(%x)
      yield %b
    }
    %on: b8[] = prim::Identity(%c)
    yield %on, %g
  }
  return %s
}
"""

LIST = """torch dialect 1
graph case(%c: b8[], %x: f32[2]) {
  %l: list<f32> = prim::If(%c) {
    %a: list<f32> = prim::ListConstruct(%x)
    yield %a
  } else {
    %b: list<f32> = prim::ListConstruct(%x, %x)
    yield %b
  }
  %y: f32[m] = aten::cat(%l, 0)
  return %y
}
"""


def f32(*values: float) -> Array:
    return np.array(values, np.float32)


@pytest.mark.parametrize("opset", OPSETS)
@pytest.mark.parametrize(("condition", "wanted"), [(True, f32(4, 9)), (False, f32(2, 3))])
def test_a_branch(condition: bool, wanted: Array, opset: int, lower_text: Lower, run_model: Run) -> None:
    (got,) = run_model(lower_text(BRANCH, opset), (np.array(condition), f32(2, 3)))
    np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize("opset", OPSETS)
@pytest.mark.parametrize(("condition", "factor"), [(True, 2), (False, 5)])
def test_a_branch_between_numbers(
    condition: bool, factor: int, opset: int, lower_text: Lower, run_model: Run
) -> None:
    numbers = np.array([7, -(2**40)])
    (got,) = run_model(lower_text(NUMBERS, opset), (np.array(condition), numbers))
    np.testing.assert_array_equal(got, numbers * factor)


def test_a_branch_that_is_known_leaves_no_if(lower_text: Lower, run_model: Run) -> None:
    model = lower_text(KNOWN, 18)
    assert [node.op_type for node in model.graph.node] == ["Add"]
    np.testing.assert_array_equal(run_model(model, (f32(2, 3),))[0], f32(4, 6))


def loop(trips: int, size: str) -> str:
    text = LOOP.replace("TRIPS", str(trips)).replace("BODY", BODY)
    return text.replace("[n]", f"[{size}]").replace("[t, n]", f"[t, {size}]")


@pytest.mark.parametrize("opset", OPSETS)
@pytest.mark.parametrize("trips", [1, 4])
def test_a_loop(trips: int, opset: int, lower_text: Lower, run_model: Run) -> None:
    x = f32(1, 2, 5)
    last, rows = run_model(lower_text(loop(trips, "n"), opset), (x,))
    wanted = np.stack([x * (1 + 3 * (i + 1)) for i in range(trips)])
    np.testing.assert_array_equal(rows, wanted)
    np.testing.assert_array_equal(last, wanted[-1])


# onnx's own evaluator, which runs what the oldest ONNX Runtime does not know, stacks no rows.
@pytest.mark.parametrize("opset", OPSETS[:-1])
def test_a_loop_that_never_runs_gives_no_rows(opset: int, lower_text: Lower, run_model: Run) -> None:
    x = f32(1, 2, 5)
    last, rows = run_model(lower_text(loop(0, "3"), opset), (x,))
    np.testing.assert_array_equal(last, x)
    assert rows.shape == (0, 3)
    assert rows.dtype == np.float32


@pytest.mark.parametrize("opset", OPSETS)
@pytest.mark.parametrize(("condition", "factor"), [(True, 27), (False, 1)])
def test_nests(condition: bool, factor: int, opset: int, lower_text: Lower, run_model: Run) -> None:
    (got,) = run_model(lower_text(NESTED, opset), (np.array(condition), f32(2, 3)))
    np.testing.assert_array_equal(got, f32(2, 3) * np.float32(factor))


@pytest.mark.parametrize("opset", [opset for opset in OPSETS[:-1] if opset >= 13])
@pytest.mark.parametrize(("condition", "wanted"), [(True, f32(2, 3)), (False, f32(2, 3, 2, 3))])
def test_a_list_of_a_branch_is_a_sequence(
    condition: bool, wanted: Array, opset: int, lower_text: Lower, run_model: Run
) -> None:
    (got,) = run_model(lower_text(LIST, opset), (np.array(condition), f32(2, 3)))
    np.testing.assert_array_equal(got, wanted)


def test_below_opset_13_a_list_of_a_branch_is_refused(lower_text: Lower, refused: type[Exception]) -> None:
    with pytest.raises(refused, match="a list that changes in a loop or branch needs opset 13"):
        lower_text(LIST, 11)
