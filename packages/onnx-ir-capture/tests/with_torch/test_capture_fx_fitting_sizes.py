"""Sizes that keep to the relations a model's way was chosen by."""

from __future__ import annotations

import torch

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.fx import capture, fitting_sizes
from onnx_ir_capture.program import CapturedProgram


def captured(model: torch.nn.Module, *lengths: int) -> CapturedProgram:
    names = ["a", "b", "c"][: len(lengths)]
    return capture(
        model,
        tuple(torch.randn(length, 3) for length in lengths),
        dynamic_shapes={name: {0: name} for name in names},
        diagnostics=DiagnosticContext("onnx-export", "1.0"),
    )


class Masked(torch.nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor, c: torch.Tensor) -> torch.Tensor:
        missing = a.shape[0] + b.shape[0] - c.shape[0]
        return torch.cat([a, b, c]) if missing > 0 else torch.cat([c, a])


class Long(torch.nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return a.sum() + b.sum() if a.shape[0] * a.shape[0] > 30 else a.sum() - b.sum()


class TestFittingSizes:
    def test_sum_follows_its_parts(self) -> None:
        program = captured(Masked(), 5, 3, 8)
        example = {"a": 5, "b": 3, "c": 8}
        assert fitting_sizes(program, example, {"a": 4, "b": 9, "c": 2}) == {"a": 4, "b": 9, "c": 13}

    def test_sizes_that_fit_stay(self) -> None:
        program = captured(Masked(), 5, 3, 8)
        sizes = {"a": 2, "b": 3, "c": 40}
        assert fitting_sizes(program, {"a": 5, "b": 3, "c": 8}, sizes) == sizes

    def test_distance_is_that_of_the_example(self) -> None:
        program = captured(Masked(), 5, 3, 6)
        found = fitting_sizes(program, {"a": 5, "b": 3, "c": 6}, {"a": 2, "b": 3, "c": 40})
        assert found == {"a": 2, "b": 3, "c": 3}

    def test_conditions_on_one_dimension_stay_broken(self) -> None:
        program = captured(Long(), 7, 2)
        sizes = {"a": 3, "b": 4}
        assert fitting_sizes(program, {"a": 7, "b": 2}, sizes) == sizes


def test_a_slice_as_long_as_the_least_size() -> None:
    class Corner(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.einsum("ii->i", x[:5, :5])

    program = capture(
        Corner(),
        (torch.ones(7, 7),),
        dynamic_shapes={"x": {0: torch.export.Dim.DYNAMIC}},
        diagnostics=DiagnosticContext("test", "1"),
    )
    assert [found.lower for found in program.dimensions.values()] == [5]
