"""Inputs and outputs of the file: names, repeated values, Python numbers."""

from __future__ import annotations

import torch

import onnx_export


def names(program: onnx_export.ONNXProgram) -> tuple[list[str], list[str]]:
    graph = program.model.graph
    return [str(v.name) for v in graph.inputs], [str(v.name) for v in graph.outputs]


class Repeated(torch.nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, ...]:
        z = x + y
        return z, z, x


def test_a_value_that_is_returned_twice_has_two_names() -> None:
    example = (torch.randn(2), torch.randn(2))
    program = onnx_export.export(
        Repeated(), example, output_names=["a", "b", "c"], verify=True, verbose=False
    )
    assert names(program) == (["x", "y"], ["a", "b", "c"])
    program = onnx_export.export(Repeated(), example, verify=True, verbose=False)
    assert len(set(names(program)[1])) == 3


class Numbers(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> dict[str, object]:
        return {"i": 7, "f": 2.5, "b": True, "none": None, "text": "t", "x": x + 1}


def test_python_numbers_are_outputs() -> None:
    program = onnx_export.export(Numbers(), (torch.zeros(2),), verify=True, verbose=False)
    results = program(torch.zeros(2))
    assert [result.tolist() for result in results] == [7, 2.5, True, [1.0, 1.0]]


class Shadowed(torch.nn.Module):
    """Has a weight of the same name as its input."""

    def __init__(self) -> None:
        super().__init__()
        self.x = torch.nn.Parameter(torch.randn(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.x


def test_an_input_keeps_its_name_beside_a_weight_of_the_same() -> None:
    program = onnx_export.export(Shadowed(), (torch.randn(2, 3),), verify=True, verbose=False)
    assert names(program)[0] == ["x"]


def test_an_exported_program_is_verified_on_its_own_example() -> None:
    exported = torch.export.export(torch.nn.ReLU(), (torch.randn(2, 3),))
    program = onnx_export.export(exported, verify=True, verbose=False)
    assert names(program) == (["input"], ["relu"])
