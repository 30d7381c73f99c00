"""Wrong translators in branches and loops, found at their own lines."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import onnx_ir as ir
import pytest
import torch
from torch._higher_order_ops.scan import scan

import onnx_export
from onnx_diagnostics import Diagnostic, VerificationError
from onnx_ir_capture.contracts import Value
from onnx_torchlib import Op

Tensor = torch.Tensor
ATEN = torch.ops.aten
X = torch.rand(5, 7) + 0.5


def line_of(marker: str) -> int:
    with open(__file__, encoding="utf-8") as file:
        (found,) = [number for number, line in enumerate(file, 1) if line.rstrip().endswith(f"  # {marker}")]
    return found


def wrong_sine(op: Op, self: Value) -> object:
    return op.Cos(self)


class Branches(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        def above(x: Tensor) -> Tensor:
            y = x.exp()
            return y.sin() + x.sum()

        def below(x: Tensor) -> Tensor:
            return x.sin()

        shifted = x + x  # shifted
        y: Tensor = torch.cond(x.sum() > 0, above, below, (shifted,))  # cond
        return y * 2 + shifted


class Loops(torch.nn.Module):
    def forward(self, x: Tensor, count: int) -> Tensor:
        scaled = x * 0.5
        y = x
        for step in range(count):
            y = y * scaled + step
            y = torch.sin(y) + 1  # sin in a loop
        return y * 2


class Late(torch.nn.Module):
    """Its operator is wrong for what only the third run of the body gives it."""

    def forward(self, x: Tensor, count: int) -> Tensor:
        y = x.abs()
        for _ in range(count):
            y = y - 1
            y = torch.abs(y) * 1.5 - 1  # abs of what gets negative
        return y


class Nested(torch.nn.Module):
    def forward(self, x: Tensor, count: int) -> Tensor:
        y = x
        for step in range(count):
            if step > 0:
                if bool(y.sum() > 0):
                    y = torch.sin(y) * x  # sin in a branch in a loop
            else:
                y = y + 1
        return y


class Rows(torch.nn.Module):
    """A loop over rows, which becomes a Scan."""

    def forward(self, x: Tensor) -> Tensor:
        state = torch.zeros(x.shape[1])
        for row in range(x.shape[0]):
            state = torch.sin(x[row] + state) * 2  # sin of a row
        return state


class Scan(torch.nn.Module):
    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        def step(state: Tensor, row: Tensor) -> tuple[Tensor, Tensor]:
            return torch.sin(state) + row, state * row

        found: tuple[Tensor, Tensor] = scan(step, torch.ones(7), x)  # scan
        return found


class WhileLoop(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        def body(step: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
            return step + 1, torch.sin(y) * x

        start = (torch.tensor(0), x)
        found: Tensor = torch.while_loop(lambda step, y: step < 3, body, start)[1]  # while_loop
        return found


class InPlace(torch.nn.Module):
    def forward(self, x: Tensor, count: int) -> Tensor:
        kept = torch.zeros(5, 7)
        for step in range(count):
            kept[step] = torch.sin(x[step])  # sin into a row
            kept += 1
        return kept


def exported(
    model: torch.nn.Module, args: tuple[object, ...], table: dict[object, Callable[..., object]]
) -> onnx_export.ONNXProgram:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = model if isinstance(model, Branches | Scan | WhileLoop) else torch.jit.script(model)
        return onnx_export.export(made, args, custom_translation_table=table, verbose=False)


def parting(program: onnx_export.ONNXProgram, args: tuple[object, ...], code: str = "EXP011") -> Diagnostic:
    with pytest.raises(VerificationError) as caught:
        onnx_export.verify(program, args)
    (found,) = [finding for finding in caught.value.diagnostics if finding.rule.code == code]
    return found


@pytest.mark.parametrize(
    ("model", "args", "marker"),
    [
        # torch.export keeps no lines of what cond and scan call.
        (Branches(), (X,), "cond"),
        (Loops(), (X, 3), "sin in a loop"),
        (Nested(), (X, 4), "sin in a branch in a loop"),
        (Rows(), (X,), "sin of a row"),
        (Scan(), (X,), "scan"),
        (WhileLoop(), (X,), "while_loop"),
        (InPlace(), (X, 4), "sin into a row"),
    ],
)
def test_the_line_inside_is_named(model: torch.nn.Module, args: tuple[object, ...], marker: str) -> None:
    program = exported(model, args, {ATEN.sin.default: wrong_sine})
    found = parting(program, args)
    assert found.location is not None
    assert (found.location.file, found.location.line) == (__file__, line_of(marker))
    assert "aten::sin is the first operator" in found.message
    assert found.advice.startswith("look at wrong_sine")


def test_an_operator_that_is_wrong_in_a_later_run() -> None:
    def positive(op: Op, self: Value) -> object:
        return op.Relu(self)

    program = exported(Late(), (X, 4), {ATEN.abs.default: positive})
    found = parting(program, (X, 4))
    assert found.location is not None
    assert found.location.line == line_of("abs of what gets negative")


def test_a_branch_that_is_given_something_wrong_is_not_to_blame() -> None:
    def subtracts(op: Op, self: Value, other: Value, alpha: int = 1) -> object:
        return op.Sub(self, other)

    program = exported(Branches(), (X,), {ATEN.add.Tensor: subtracts})
    found = parting(program, (X,))
    assert "aten::add.Tensor" in found.message
    assert found.location is not None
    assert found.location.line == line_of("shifted")


def test_a_loop_that_runs_too_often_is_named_itself() -> None:
    program = exported(Loops(), (X, 3), {})
    graph = program.model.graph
    (loop,) = [node for node in graph if node.op_type == "Loop"]
    one = ir.Value(name="one", const_value=ir.tensor([1], name="one"))
    graph.register_initializer(one)
    more = ir.Node("", "Add", [loop.inputs[0], one], num_outputs=1)
    more.outputs[0].name = "more"
    graph.insert_before(loop, more)
    loop.replace_input_with(0, more.outputs[0])
    found = parting(program, (X, 3))
    assert "prim::Loop is the first operator" in found.message


def test_rounding_before_a_branch_is_not_the_branch_s_fault() -> None:
    class Chaotic(torch.nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            y = x.sigmoid() * 0.9 + 0.05

            def many(y: Tensor) -> Tensor:
                for _ in range(60):
                    y = y * (1 - y) * 4
                return y

            z: Tensor = torch.cond(x.sum() > 0, many, torch.clone, (y,))
            return z

    def rounded(op: Op, self: Value) -> object:
        return op.Add(op.Sigmoid(self), 1e-7)

    program = exported(Branches(), (X,), {})
    assert onnx_export.verify(program, (X,))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = onnx_export.export(
            Chaotic(), (X,), custom_translation_table={ATEN.sigmoid.default: rounded}, verbose=False
        )
    found = parting(program, (X,), "EXP012")
    assert "rounding alone grows until it is above the tolerance at prim::If" in found.message
