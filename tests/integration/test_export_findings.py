"""What an export tells though it worked: each finding once, with the line of the model."""

from __future__ import annotations

import inspect
import warnings

import pytest
import torch

import onnx_export
from onnx_diagnostics import Diagnostic, Level, Rule
from onnx_export.rules import ARGUMENTS_FIXED, INPUT_RENAMED, LARGE_CONSTANT, MISSING_KERNEL, UNUSED_INPUT
from onnx_ir_capture.rules import SEMANTICS_LIMITED, WEIGHT_RENAMED
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
    program = onnx_export.export(model, (torch.ones(5, 3), torch.tensor(2)), dynamic_shapes=({0: "b"}, None))
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
    )
    (note,) = found(program, WEIGHT_RENAMED)
    assert note.message == (
        "the weight 'scale' is called 'scale_1' in the file, where 'scale' is the name of another value"
    )
    assert [value.name for value in program.model.graph.inputs] == ["x", "scale"]
    assert {"scale_1", "linear.weight", "linear.bias"} <= set(program.model.graph.initializers)


class Angles(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        first = torch.atan(x)
        return first + torch.atan(x * 2) + x.to(torch.float32).atan()


def test_an_operator_without_a_kernel_is_told_once_with_its_lines() -> None:
    model = Angles().eval()
    with pytest.warns(UserWarning, match="EXP013"):
        program = onnx_export.export(model, (torch.ones(2, dtype=torch.float64),))
    (warning,) = found(program, MISSING_KERNEL)
    assert warning.level is Level.WARNING
    assert "has no CPU kernel for Atan of float64 at opset 20" in warning.message
    assert warning.location is not None
    assert warning.location.line == line_of(model, "atan(x)")
    assert [place.line for place in warning.related] == [line_of(model, "atan(x * 2)")]


def test_an_operator_is_told_whose_function_body_lacks_a_kernel() -> None:
    with pytest.warns(UserWarning, match="EXP013"):
        program = onnx_export.export(torch.nn.GELU().eval(), (torch.ones(2).double(),))
    assert [node.op_type for node in program.model.graph] == ["Gelu"]
    (warning,) = found(program, MISSING_KERNEL)
    assert "Gelu of float64" in warning.message


def test_bfloat16_is_a_note_for_it_is_made_for_accelerators() -> None:
    program = onnx_export.export(torch.nn.Linear(3, 5).bfloat16().eval(), (torch.ones(2, 3).bfloat16(),))
    (note,) = found(program, MISSING_KERNEL)
    assert note.level is Level.NOTE
    assert "Gemm of bfloat16" in note.message


class WithTable(torch.nn.Module):
    table: torch.Tensor

    def __init__(self, kind: str) -> None:
        super().__init__()
        table = torch.arange(300_000, dtype=torch.float32)
        if kind == "buffer":
            self.register_buffer("table", table)
        elif kind == "parameter":
            self.table = torch.nn.Parameter(table)
        else:
            self.table = table

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        shifted = x + 1
        return shifted * self.table


@pytest.mark.parametrize("dynamo", [True, False])
@pytest.mark.parametrize(("kind", "count"), [("attribute", 1), ("buffer", 0), ("parameter", 0)])
def test_a_large_tensor_that_is_no_weight_is_told_with_the_line_that_reads_it(
    kind: str, count: int, dynamo: bool
) -> None:
    model = WithTable(kind).eval()
    program = onnx_export.export(model, (torch.ones(300_000),), dynamo=dynamo)
    notes = found(program, LARGE_CONSTANT)
    assert len(notes) == count
    for note in notes:
        assert "float32 [300000] of 1.2 MB" in note.message
        assert note.location is not None
        assert note.location.line == line_of(model, "* self.table")


class Selective(torch.nn.Module):
    def forward(
        self, x: torch.Tensor, mask: torch.Tensor, scale: float = 1.0, flag: bool = False, opt: None = None
    ) -> torch.Tensor:
        return x * scale if flag else x


@pytest.mark.parametrize("dynamo", [True, False])
def test_inputs_that_nothing_reads_and_arguments_that_are_no_inputs_are_told(dynamo: bool) -> None:
    program = onnx_export.export(
        Selective().eval(), (torch.ones(2), torch.ones(3), 0.5, True, None), dynamo=dynamo
    )
    assert [value.name for value in program.model.graph.inputs] == ["x", "mask"]
    (unused,) = found(program, UNUSED_INPUT)
    assert "the input 'mask', which stays an input of the file" in unused.message
    (fixed,) = found(program, ARGUMENTS_FIXED)
    assert "no inputs for scale=0.5, flag=True: " in fixed.message


class Limited(torch.nn.Module):
    def forward(self, x: torch.Tensor, n: torch.Tensor) -> tuple[torch.Tensor, ...]:
        noisy = x + torch.rand_like(x)
        again = noisy + torch.rand_like(x)
        places = torch.bucketize(n, n) + torch.bucketize(x, x)
        return again, places, torch.mode(n).indices, torch.signbit(x)


@pytest.mark.parametrize("opset", [18, 20, 26])
def test_a_limit_is_told_once_per_operator_where_its_inputs_can_meet_it(opset: int) -> None:
    model = Limited().eval()
    program = onnx_export.export(model, (torch.ones(5), torch.arange(5)), opset_version=opset)
    notes = {str(note.location.op): note for note in found(program, SEMANTICS_LIMITED) if note.location}
    assert len(notes) == len(found(program, SEMANTICS_LIMITED))
    names = ["aten::rand_like", "aten::bucketize.Tensor", "aten::mode", "aten::signbit"]
    assert list(notes) == names[: 4 if opset < 26 else 3]
    first = notes["aten::rand_like"]
    assert "others than PyTorch's, whatever the seed" in first.message
    assert first.location is not None
    assert first.location.line == line_of(model, "noisy = x")


class Complex(torch.nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        z = torch.view_as_complex(x)
        return torch.view_as_real(z * z * y * y / y.sum())


def test_complex_numbers_that_are_not_finite_are_told_of_where_the_other_factor_is_real() -> None:
    program = onnx_export.export(Complex().eval(), (torch.ones(5, 2), torch.ones(5)))
    notes = found(program, SEMANTICS_LIMITED)
    assert [str(note.location.op) for note in notes if note.location] == [
        "aten::mul.Tensor",
        "aten::div.Tensor",
    ]
    assert all("an infinite or NaN part" in note.message for note in notes)
    program = onnx_export.export(Squared().eval(), (torch.ones(5, 2),))
    assert not found(program, SEMANTICS_LIMITED)


class Squared(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        z = torch.view_as_complex(x)
        return torch.view_as_real(z * z)


class Listed(torch.nn.Module):
    def forward(self, x: list[torch.Tensor], x_0: torch.Tensor) -> torch.Tensor:
        return x[0] + x_0


@pytest.mark.parametrize("route", ["torch.export", "trace", "script"])
def test_an_input_that_is_called_as_another_is_told_with_both_names(route: str) -> None:
    model, args = Listed().eval(), ([torch.ones(2)], torch.ones(2))
    given = torch.jit.script(model) if route == "script" else model
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # CAP017 of the script
        program = onnx_export.export(given, args, dynamo=route == "torch.export")
    assert [value.name for value in program.model.graph.inputs] == ["x_0", "x_0_1"]
    (note,) = found(program, INPUT_RENAMED)
    assert "would be 'x_0' is called 'x_0_1'" in note.message
    named = onnx_export.export(model, args, input_names=["a", "b"])
    assert found(named, INPUT_RENAMED) == []


@pytest.mark.parametrize("dynamo", [True, False])
def test_an_ordinary_export_tells_nothing(dynamo: bool) -> None:
    layers = (torch.nn.Conv2d(3, 5, 3), torch.nn.BatchNorm2d(5), torch.nn.Dropout(), torch.nn.MaxPool2d(2))
    model = torch.nn.Sequential(*layers, torch.nn.Flatten(), torch.nn.Linear(45, 7), torch.nn.GELU()).eval()
    program = onnx_export.export(model, (torch.randn(2, 3, 8, 8),), dynamo=dynamo)
    assert list(program.diagnostics) == []
