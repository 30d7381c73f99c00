"""Runs with fake tensors: shapes without values, concrete and symbolic."""

from __future__ import annotations

from collections.abc import Callable

import onnx_ir as ir
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch._subclasses import FakeTensor, FakeTensorMode
from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv, StatelessSymbolicContext

from onnx_ir_capture.dialect import parse_program, verify
from onnx_ir_capture.interpreter import Interpreter, InterpreterError

PROGRAM = """torch dialect 1
graph main(%x: f32[batch, 3]) {
  weight %w: f32[2, 3] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
  weight %state: f32[2] = [0.0, 0.0]
  %y: f32[batch, 2] = aten::linear(%x, %w, None)
  %n: int = aten::sym_size.int(%y, 0)
  %half: int = aten::floordiv.int(%n, 2)
  %more: int = aten::add.int(%half, 1)
  %capped: int = prim::min.int(%more, %n)
  %zeros: f32[?, 4] = aten::new_zeros(%y, [%more, 4], None, None, None, None)
  %wide: f32[?] = aten::reshape(%y, [-1]) views(0 -> 0)
  %new: f32[2] = aten::add_.Tensor(%state, 1, 1) mutates(0) views(0 -> 0)
  return %y, %zeros, %wide, %new, %more, %capped
}
"""


def interpreter() -> Interpreter:
    model = parse_program(PROGRAM)
    verify(model)
    return Interpreter(model)


def with_symbolic_batch(mode: FakeTensorMode, real: torch.Tensor) -> FakeTensor:
    """A fake tensor whose first size is a symbol."""
    sizes = [DimDynamic.DYNAMIC, *[DimDynamic.STATIC] * (real.dim() - 1)]
    context: StatelessSymbolicContext[..., object] = StatelessSymbolicContext(dynamic_sizes=sizes)
    return mode.from_tensor(real, symbolic_context=context)


def shapes(results: list[object]) -> list[object]:
    return [list(value.shape) if isinstance(value, torch.Tensor) else value for value in results]


@given(st.integers(2, 9))
def test_fake_run_has_the_shapes_of_a_real_one(batch: int) -> None:
    real = interpreter().run([torch.ones(batch, 3)])
    with FakeTensorMode() as mode:
        fake = interpreter().run([torch.ones(batch, 3)])
    again = interpreter().run([mode.from_tensor(torch.ones(batch, 3))])
    assert all(isinstance(value, FakeTensor | int) for value in [*fake, *again])
    assert shapes(fake) == shapes(real) == shapes(again)


def test_symbolic_sizes_go_through() -> None:
    mode = FakeTensorMode(shape_env=ShapeEnv())
    x = with_symbolic_batch(mode, torch.ones(6, 3))
    y, zeros, wide, _, more, capped = interpreter().run([x])
    batch: object = x.shape[0]
    assert isinstance(batch, torch.SymInt)
    assert isinstance(y, torch.Tensor)
    assert isinstance(zeros, torch.Tensor)
    assert isinstance(wide, torch.Tensor)
    assert isinstance(more, torch.SymInt)
    assert isinstance(capped, torch.SymInt)
    name = str(batch)
    assert [str(size) for size in y.shape] == [name, "2"]
    assert [str(size) for size in zeros.shape] == [f"(({name}//2)) + 1", "4"]
    assert [str(size) for size in wide.shape] == [f"2*{name}"]
    assert str(more) == f"(({name}//2)) + 1"
    assert str(capped) == f"Min({name}, (({name}//2)) + 1)"
    # No size was looked at, so the program is as general as it was.
    assert mode.shape_env is not None
    assert mode.shape_env.guards == []


def test_meta_tensors_run_as_they_are() -> None:
    model = parse_program(PROGRAM)
    weights = {"w": torch.ones(2, 3, device="meta"), "state": torch.ones(2, device="meta")}
    results = Interpreter(model, weights=weights).run([torch.ones(4, 3, device="meta")])
    assert shapes(results) == [[4, 2], [3, 4], [8], [2], 3, 3]


@pytest.mark.parametrize(
    "calculation",
    [
        lambda a: ("add.int", a + 3),
        lambda a: ("sub.int", a - 3),
        lambda a: ("mul.int", a * 3),
        lambda a: ("floordiv.int", a // 3),
        lambda a: ("remainder.int", a % 3),
        lambda a: ("div.int", a / 3),
        lambda a: ("pow.int_to_int", a**3),
        lambda a: ("eq.int", a == 3),
        lambda a: ("ge.int", a >= 3),
        lambda a: ("__lshift__.int", a << 3),
    ],
)
def test_numbers_compute_the_same_symbolic_and_concrete(
    calculation: Callable[[int], tuple[str, object]],
) -> None:
    name, wanted = calculation(7)
    kind = type(wanted).__name__
    text = f"torch dialect 1 graph main(%a: int) {{ %r: {kind} = aten::{name}(%a, 3) return %r }}"
    run = Interpreter(parse_program(text)).run
    assert run([7]) == [wanted]
    mode = FakeTensorMode(shape_env=ShapeEnv())
    size = with_symbolic_batch(mode, torch.ones(7)).shape[0]
    (result,) = run([size])
    assert isinstance(result, torch.SymInt | torch.SymFloat | torch.SymBool)
    assert result.node.hint == wanted
    assert str(result) == str(calculation(size)[1])


def test_condition_on_values_is_refused() -> None:
    text = """torch dialect 1
    graph main(%c: b8[]) {
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
    condition = FakeTensorMode().from_tensor(torch.tensor(True))
    with pytest.raises(InterpreterError, match="prim::If failed"):
        Interpreter(parse_program(text)).run([condition])


BRANCHES = """torch dialect 1
graph main(%x: f32[n, 3]) {{
  %sum: f32[] = aten::sum(%x, None)
  %c: b8[] = aten::gt.Scalar(%sum, 0)
  %r: f32[n, 3] = prim::If(%c) {{
    %a: f32[n, 3] = aten::sin(%x)
    yield %a
  }} else {{
    %b: {kind} = {call}
    yield %b
  }}
  return %r
}}
"""


def test_branches_of_one_kind_need_no_condition() -> None:
    model = parse_program(BRANCHES.format(kind="f32[n, 3]", call="aten::cos(%x)"))
    with FakeTensorMode():
        (result,) = Interpreter(model).run([torch.ones(4, 3)])
    assert isinstance(result, FakeTensor)
    assert (result.shape, result.dtype) == ((4, 3), torch.float32)


def test_branches_of_two_kinds_need_one() -> None:
    model = parse_program(BRANCHES.format(kind="f32[?, 3]", call="aten::slice.Tensor(%x, 0, 0, 1, 1)"))
    with FakeTensorMode(), pytest.raises(InterpreterError, match=r"\[4, 3\] and torch.float32 \[1, 3\]"):
        Interpreter(model).run([torch.ones(4, 3)])


def test_fake_weights_do_not_serve_real_inputs() -> None:
    model = parse_program(PROGRAM)
    with FakeTensorMode():
        weights = {"w": torch.ones(2, 3)}
    with pytest.raises(InterpreterError, match="fake tensor without values"):
        Interpreter(model, weights=weights).run([torch.ones(2, 3)])


def test_observer_gets_fake_values() -> None:
    seen: dict[str, object] = {}

    def note(value: ir.Value, result: object) -> None:
        seen[str(value.name)] = result

    with FakeTensorMode():
        Interpreter(parse_program(PROGRAM), observer=note).run([torch.ones(4, 3)])
    assert isinstance(seen["y"], FakeTensor)
    assert seen["half"] == 2
