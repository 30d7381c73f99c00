"""Captured control flow through the pipeline: the interpreter gives the model's numbers before and after."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import onnx_ir as ir
import pytest
import torch
from torch._higher_order_ops.scan import scan
from torch._higher_order_ops.while_loop import while_loop

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.dialect import parse_program, print_program, verify
from onnx_ir_capture.fx import import_exported_program
from onnx_ir_capture.interpreter import Interpreter, run_program
from onnx_ir_capture.program import CapturedProgram
from onnx_jitpasses.pipeline import run_pipeline

Tensor = torch.Tensor


class Model(torch.nn.Module):
    def __init__(self, function: Callable[[Model, Tensor], object]) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(5, 5)
        self.drop = torch.nn.Dropout(0.5, inplace=True)
        self.function = function

    def forward(self, x: Tensor) -> object:
        return self.function(self, x)


def writes_in_a_branch(m: Model, x: Tensor) -> object:
    def inner(y: Tensor) -> Tensor:
        z: Tensor = m.drop(m.layer(y)).relu_()
        z[:, 1:3].mul_(2)
        return z

    y = x + 1
    z = torch.cond(x.sum() > 0, inner, lambda y: (y * 2).add_(1), (y,))
    y.mul_(3)
    return y + z


def writes_in_a_loop(m: Model, x: Tensor) -> object:
    def step(h: Tensor, row: Tensor) -> tuple[Tensor, Tensor]:
        h = (h + row).tanh_()
        y = h.clone()
        y[1:4] = 7
        return h, y.add_(1)

    return scan(step, torch.zeros(5), x)


def equal_calls_around_and_inside(m: Model, x: Tensor) -> object:
    y = x.sin() * x.shape[0]
    z = torch.cond(y.sum() > 0, lambda x: x.sin() * x.shape[0] + 1, lambda x: x.sin() + x.shape[0], (x,))
    return y + z


def unused(m: Model, x: Tensor) -> object:
    unused = torch.cond(x.sum() > 0, lambda y: y + 1, lambda y: y - 1, (x,))
    used, _ = torch.cond(x.sum() > 0, lambda y: (y * 2, y.cos()), lambda y: (y * 3, y.sin()), (x,))
    del unused
    return used


def branch_in_a_loop(m: Model, x: Tensor) -> object:
    def step(i: int, y: Tensor) -> tuple[int, Tensor]:
        return i + 1, torch.cond(y.sum() > 3, lambda z: z / 2, lambda z: z * 3 + 1, (y,))

    return while_loop(lambda i, y: i < x.shape[0] + 2, step, (0, x))


def captured(function: Callable[[Model, Tensor], object]) -> tuple[Model, CapturedProgram]:
    torch.manual_seed(0)
    model = Model(function).eval()
    exported = torch.export.export(model, (torch.randn(3, 5),), dynamic_shapes=[{0: torch.export.Dim.AUTO}])
    diagnostics = DiagnosticContext("test", "1")
    program = import_exported_program(exported, diagnostics)
    assert program.is_whole, list(diagnostics)
    return model, program


def names(graph: ir.Graph) -> Iterable[str | None]:
    yield from (value.name for value in (*graph.inputs, *graph.initializers.values()))
    for node in graph.all_nodes():
        yield from (output.name for output in node.outputs)
        for attribute in node.attributes.values():
            if attribute.type == ir.AttributeType.GRAPH:
                yield from (value.name for value in attribute.as_graph().inputs)


FUNCTIONS = [
    writes_in_a_branch,
    writes_in_a_loop,
    equal_calls_around_and_inside,
    unused,
    branch_in_a_loop,
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_numbers_stay(function: Callable[[Model, Tensor], object]) -> None:
    model, program = captured(function)
    verify(program.model)
    result = run_pipeline(program, DiagnosticContext("test", "1")).program
    verify(result.model)
    assert "mutates" not in print_program(result.model)
    found = list(names(result.model.graph))
    assert len(set(found)) == len(found)
    for x in (torch.full((3, 5), 0.5), -torch.ones(2, 5), torch.randn(7, 5)):
        with torch.no_grad():
            wanted = model(x.clone())
        torch.testing.assert_close(run_program(program, (x,)), wanted, rtol=0, atol=0)
        torch.testing.assert_close(run_program(result, (x,)), wanted, rtol=0, atol=0)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_text_is_read_back(function: Callable[[Model, Tensor], object]) -> None:
    model, program = captured(function)
    text = print_program(program.model)
    again = parse_program(text)
    assert print_program(again) == text
    x = torch.randn(4, 5)
    state = {name: value.detach() for name, value in model.state_dict().items()}
    stored = {
        str(value.name): torch.from_dlpack(value.const_value)
        for value in program.model.graph.initializers.values()
        if value.const_value is not None and value.name not in state
    }
    found = Interpreter(again, weights={**state, **stored}).run([x])
    torch.testing.assert_close(found, run_program_flat(program, x), rtol=0, atol=0)


def run_program_flat(program: CapturedProgram, x: Tensor) -> list[object]:
    result = run_program(program, (x,))
    return list(result) if isinstance(result, tuple) else [result]


def test_blocks_take_what_is_computed_around_them() -> None:
    _, program = captured(equal_calls_around_and_inside)
    result = run_pipeline(program, DiagnosticContext("test", "1")).program
    kinds = [node.op_type for node in result.model.graph.all_nodes()]
    assert kinds.count("sin") == 1
    assert kinds.count("sym_size") == 1


def test_branches_that_nobody_asks_for_go() -> None:
    _, program = captured(unused)
    result = run_pipeline(program, DiagnosticContext("test", "1")).program
    assert [node.op_type for node in result.model.graph.all_nodes()].count("If") == 1
