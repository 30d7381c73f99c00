"""linspace is captured for as many steps as a dynamic size says."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.fx import capture
from onnx_ir_capture.interpreter import Interpreter

Function = Callable[[torch.Tensor], torch.Tensor]


class Model(torch.nn.Module):
    def __init__(self, function: Function) -> None:
        super().__init__()
        self._function = function

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self._function(x)


FUNCTIONS: list[Function] = [
    lambda x: torch.linspace(-1, 1, x.shape[0]),
    lambda x: torch.linspace(start=0.5, end=x.shape[0] - 0.5, steps=x.shape[0], dtype=torch.float64),
    lambda x: torch.linspace(0, x.shape[1] - 1, x.shape[1], device=x.device, dtype=x.dtype),
    lambda x: torch.linspace(x[0, 0], x[0, 1], x.shape[0]),
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_any_number_of_steps(function: Function) -> None:
    x = torch.randn(5, 7)
    shapes = {"x": {0: "n", 1: "m"}}
    program = capture(
        Model(function), (x,), dynamic_shapes=shapes, diagnostics=DiagnosticContext("linspace", "0")
    )
    for sizes in ((5, 7), (2, 3), (6, 11), (13, 2)):
        x = torch.randn(sizes)
        (result,) = Interpreter(program.model).run([x])
        torch.testing.assert_close(result, function(x))


def test_outside_of_captures_it_is_torch_s_own() -> None:
    assert torch.linspace(0, 1, 3).tolist() == [0, 0.5, 1]
