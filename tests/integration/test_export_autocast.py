"""Exports inside of ``with torch.autocast(...)``."""

from __future__ import annotations

import pytest
import torch

import onnx_export
from onnx_diagnostics import OnnxExporterError


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = torch.nn.Linear(3, 5)
        self.norm = torch.nn.LayerNorm(5)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        y = self.fc(x)
        return self.norm(y), y.float().softmax(-1)


def test_the_casts_of_the_caller_s_autocast_are_in_the_file() -> None:
    model, x = Net().eval(), torch.randn(2, 3)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        program = onnx_export.export(model, (x,), dynamic_shapes={"x": {0: "n"}}, verbose=False)
        with torch.no_grad():
            expected = model(x)
        assert torch.is_autocast_enabled("cpu")
    assert [value.name for value in program.model.graph.inputs] == ["x"]
    assert {"fc.weight", "norm.bias"} <= set(program.model.graph.initializers)
    outputs = program.call_reference(x)  # ONNX Runtime has no bfloat16 Gemm on the CPU
    assert [output.dtype for output in outputs] == [output.dtype for output in expected]
    torch.testing.assert_close(list(outputs), list(expected), rtol=2e-2, atol=2e-2)


def test_a_function_and_a_failure_leave_autocast_as_it_was() -> None:
    def product(x: torch.Tensor) -> torch.Tensor:
        return x @ x.t()

    def fails(x: torch.Tensor) -> torch.Tensor:
        return x @ x

    x = torch.randn(2, 3)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        program = onnx_export.export(product, (x,), verbose=False)
        with pytest.raises(OnnxExporterError, match="the model raised"):
            onnx_export.export(fails, (x,), verbose=False)
        assert torch.is_autocast_enabled("cpu")
        expected = product(x)
    (output,) = program.call_reference(x)
    assert output.dtype == torch.bfloat16
    torch.testing.assert_close(output, expected, rtol=2e-2, atol=2e-2)


def test_autocast_that_is_off_changes_nothing() -> None:
    model, x = Net().eval(), torch.randn(2, 3)
    with torch.autocast("cpu", enabled=False):
        onnx_export.export(model, (x,), verify=True, verbose=False)
