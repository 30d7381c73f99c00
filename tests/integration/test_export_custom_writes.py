"""Custom operators that write their arguments: a translation gives the new values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

import onnx
import onnxscript
import pytest
import torch
from onnxscript import FLOAT
from torch.library import custom_op

import onnx_export
from onnx_diagnostics import ConversionError
from onnx_export._custom import CustomTranslation
from onnx_ir_capture.contracts import Value
from onnx_torchlib import Op

Tensor = torch.Tensor


class ScriptOpset(Protocol):
    """An opset; onnxscript's own types do not take the numbers that it takes."""

    def __getattr__(self, name: str) -> Callable[..., FLOAT]: ...


op18: ScriptOpset = onnxscript.opset18


@custom_op("writes::add_to", mutates_args=["x"])
def add_to(x: Tensor, by: float) -> None:
    x.add_(by)


@custom_op("writes::step", mutates_args=["state", "count"])
def step(x: Tensor, state: Tensor, count: Tensor) -> Tensor:
    state.mul_(0.5).add_(x)
    count.add_(1)
    return state * 2


@step.register_fake
def _(x: Tensor, state: Tensor, count: Tensor) -> Tensor:
    return torch.empty_like(state)


@custom_op("writes::grow", mutates_args=["parts"])
def grow(parts: list[Tensor], bias: Tensor) -> None:
    for number, part in enumerate(parts):
        part.add_(bias, alpha=number + 1)


LIBRARY = torch.library.Library("writes", "FRAGMENT")  # registered as long as this module
LIBRARY.define("double_(Tensor(a!) x) -> Tensor(a!)")
LIBRARY.impl("double_", lambda x: x.mul_(2), "CompositeExplicitAutograd")
LIBRARY.define("store.out(Tensor x, Tensor? mask, *, Tensor(a!) out) -> Tensor(a!)")
LIBRARY.impl("store.out", lambda x, mask, *, out: out.copy_(x), "CompositeExplicitAutograd")


def translate_add_to(op: Op, x: Value, by: float) -> Value:
    return op.Add(x, by)


def translate_step(op: Op, x: Value, state: Value, count: Value) -> list[Value]:
    new = op.Add(op.Mul(state, 0.5), x)
    return [op.Mul(new, 2.0), new, op.Add(count, 1)]


def translate_grow(op: Op, parts: list[Value], bias: Value) -> list[Value]:
    return [op.Add(part, op.Mul(bias, float(number + 1))) for number, part in enumerate(parts)]


def translate_double(op: Op, x: Value) -> Value:
    return op.Add(x, x)


def translate_store(op: Op, x: Value, mask: Value | None, out: Value) -> Value:
    return op.Expand(x, op.Shape(out))


@onnxscript.script(onnxscript.values.Opset("writes.functions", 1))
def AddTo(x: FLOAT, by: float) -> FLOAT:
    return op18.Add(x, op18.Constant(value_float=by))


def traced_add_to(x: FLOAT, by: float) -> FLOAT:
    return op18.Add(x, by)


TABLE: Mapping[object, CustomTranslation] = {
    add_to: translate_add_to,
    torch.ops.writes.step.default: translate_step,
    torch.ops.writes.grow: translate_grow,
    torch.ops.writes.double_.default: translate_double,
    torch.ops.writes.store.out: translate_store,
}


class Model(torch.nn.Module):
    def __init__(self, function: Callable[[Model, Tensor], object]) -> None:
        super().__init__()
        self.state = torch.nn.Buffer(torch.arange(5.0))
        self.count = torch.nn.Buffer(torch.tensor(3))
        self.function = function

    def forward(self, x: Tensor) -> object:
        return self.function(self, x)


def whole(m: Model, x: Tensor) -> object:
    y = x.sin()
    z = y * 2
    add_to(y, 2.0)
    return y, z, y + z


def part(m: Model, x: Tensor) -> object:
    y = x.sin()
    add_to(y[:, 2:4], 2.0)
    add_to(y.t()[1], 3.0)
    return y


def returned_too(m: Model, x: Tensor) -> object:
    y, state, count = x.sum(0), x[0].cos(), m.count + 1
    result = step(y, state, count)
    return result + state * count


def listed(m: Model, x: Tensor) -> object:
    one, other = x.sin(), x[:, :5].cos()
    grow([one, other], x[0])
    return one - other


def in_place(m: Model, x: Tensor) -> object:
    y = x.exp()
    z = torch.ops.writes.double_(y)
    return y, z.neg_(), y + 1


def into_out(m: Model, x: Tensor) -> object:
    y = torch.zeros_like(x)
    z = torch.ops.writes.store(x[0], None, out=y)
    return y + z


def in_a_branch(m: Model, x: Tensor) -> object:
    def inner(y: Tensor) -> Tensor:
        z = y.exp()
        add_to(z, 1.0)
        return z

    return torch.cond(x.sum() > 0, inner, torch.neg, (x,))


FUNCTIONS = [whole, part, returned_too, listed, in_place, into_out, in_a_branch]
FUNCTIONAL = [whole, returned_too, listed, in_a_branch]  # torch takes no others apart, or by as_strided
X = torch.randn(3, 5)


def exported(
    function: Callable[[Model, Tensor], object],
    table: Mapping[object, CustomTranslation] | None = TABLE,
    decomposed: bool = False,
    **options: object,
) -> onnx_export.ONNXProgram:
    model, shapes = Model(function).eval(), {"x": {0: "rows"}}
    program = torch.export.export(model, (X,), dynamic_shapes={"x": {0: torch.export.Dim("rows", min=2)}})
    return onnx_export.export(
        program.run_decompositions({}) if decomposed else model,
        () if decomposed else (X,),
        dynamic_shapes=None if decomposed else shapes,
        verbose=False,
        custom_translation_table=table,
        **options,  # type: ignore[arg-type]  # passed on
    )


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_new_values_are_what_the_program_reads(function: Callable[[Model, Tensor], object]) -> None:
    exported(function, verify=True)


@pytest.mark.parametrize("function", FUNCTIONAL)
def test_so_they_are_in_a_functional_program(function: Callable[[Model, Tensor], object]) -> None:
    exported(function, decomposed=True, verify=True)


@pytest.mark.parametrize("translation", [AddTo, traced_add_to, [translate_add_to]])
def test_every_kind_of_translation(translation: CustomTranslation) -> None:
    exported(part, {torch.ops.writes.add_to.default: translation}, verify=True)


def test_state_that_an_operator_writes_is_kept() -> None:
    def function(m: Model, x: Tensor) -> object:
        return step(x.sum(0), m.state, m.count)

    program = exported(function, keep_state=True)
    assert [variable.output for variable in program.state] == ["state_out", "count_out"]
    model = Model(function)
    expected = [model(X), model.state, model.count]
    for found, wanted in zip(program(X), expected, strict=True):
        torch.testing.assert_close(found, wanted)


def test_a_node_of_a_custom_domain_has_the_new_values_as_outputs() -> None:
    program = exported(returned_too, None, custom_opsets={"writes": 2})
    onnx.checker.check_model(program.model_proto, full_check=True)
    (node,) = (node for node in program.model.graph if node.domain == "writes")
    assert (node.op_type, len(node.inputs)) == ("step", 3)
    assert [str(output.shape) for output in node.outputs] == ["[5]", "[5]", "[]"]
    # The result and the two new values are what the program goes on with.
    assert all(output.uses() for output in node.outputs)


def test_without_a_translation_the_error_says_how_to_give_one() -> None:
    with pytest.raises(ConversionError, match=r"writes::add_to .* custom_translation_table") as caught:
        exported(whole, None)
    assert [found.rule.code for found in caught.value.diagnostics] == ["JIT001"]


@pytest.mark.parametrize("place", [0, 1])
def test_an_argument_that_shares_the_written_memory_is_refused(place: int) -> None:
    def function(m: Model, x: Tensor) -> object:
        y = x.sin()
        return step(y[0], y[place], m.count + 1)

    with pytest.raises(ConversionError, match=r"may share the memory of %.*, which it writes") as caught:
        exported(function)
    assert [found.rule.code for found in caught.value.diagnostics] == ["JIT001"]


def test_new_values_that_are_left_out_are_the_translation_s_fault() -> None:
    def too_few(op: Op, x: Value, state: Value, count: Value) -> Value:
        return op.Mul(state, 2.0)

    with pytest.raises(ConversionError, match=r"too_few.* returned 1 value.* 3 outputs"):
        exported(returned_too, {step: too_few})
