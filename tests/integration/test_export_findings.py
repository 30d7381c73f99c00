"""What an export tells though it worked: each finding once, with the line of the model."""

from __future__ import annotations

import inspect

import pytest
import torch

import onnx_export
from onnx_diagnostics import Diagnostic, Level, Rule
from onnx_ir_capture.rules import WEIGHT_RENAMED
from onnx_jitpasses.rules import ASSERTION_DROPPED


def found(program: onnx_export.ONNXProgram, rule: Rule) -> list[Diagnostic]:
    return [diagnostic for diagnostic in program.diagnostics if diagnostic.rule == rule]


def line_of(model: torch.nn.Module, text: str) -> int:
    """The line of this file at which the model's forward has ``text``."""
    lines, first = inspect.getsourcelines(type(model).forward)
    return first + next(number for number, line in enumerate(lines) if text in line)


class Checked(torch.nn.Module):
    def forward(self, x: torch.Tensor, count: torch.Tensor) -> torch.Tensor:
        torch._assert_async((x > 0).all(), "x must be positive")
        n = count.item()
        torch._check(n <= x.shape[0])
        return x[:n].to(torch.float64) * x.nonzero().shape[0]


def test_checks_that_are_left_out_are_told_with_their_lines() -> None:
    model = Checked().eval()
    program = onnx_export.export(
        model, (torch.ones(5, 3), torch.tensor(2)), dynamic_shapes=({0: "b"}, None), verbose=False
    )
    notes = found(program, ASSERTION_DROPPED)
    assert [note.message.split(" is left out")[0] for note in notes] == [
        "the check 'x must be positive'",
        "the check item <= x.shape[0]",
    ]
    places = [note.location for note in notes]
    assert [place.line for place in places if place is not None] == [
        line_of(model, "_assert_async"),
        line_of(model, "count.item()"),
    ]
    assert all(note.level is Level.NOTE for note in notes)


class Scaled(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = torch.nn.Parameter(torch.ones(3))
        self.linear = torch.nn.Linear(3, 3)

    def forward(self, x: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.linear(x) * self.scale * scale
        return result


@pytest.mark.parametrize("route", ["torch.export", "trace", "script"])
def test_a_weight_that_is_called_as_an_input_is_told_with_both_names(route: str) -> None:
    model = Scaled().eval()
    program = onnx_export.export(
        torch.jit.script(model) if route == "script" else model,
        (torch.ones(2, 3), torch.ones(3)),
        dynamo=route == "torch.export",
        verbose=False,
    )
    (note,) = found(program, WEIGHT_RENAMED)
    assert note.message == (
        "the weight 'scale' is called 'scale_1' in the file, where 'scale' is the name of another value"
    )
    assert [value.name for value in program.model.graph.inputs] == ["x", "scale"]
    assert {"scale_1", "linear.weight", "linear.bias"} <= set(program.model.graph.initializers)
