"""Models that read and write ``Tensor.data``, by every way of capture."""

from __future__ import annotations

import pytest
import torch

import onnx_export
from onnx_diagnostics import OnnxExporterError


class Writes(torch.nn.Module):
    count: torch.Tensor

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("count", torch.ones(3))
        self.weight = torch.nn.Parameter(torch.full((3,), 2.0))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.count.data.add_(1)
        self.weight.detach().mul_(3)
        x = x * 1
        x[1:].data.mul_(5)
        return x.data * self.count + self.weight


@pytest.mark.parametrize("dynamo", [True, False])
@pytest.mark.filterwarnings("ignore:JIT002")
def test_what_is_written_through_data_is_read(dynamo: bool) -> None:
    program = onnx_export.export(Writes(), (torch.arange(3.0),), verbose=False, dynamo=dynamo)
    other = torch.tensor([3.0, 7.0, 11.0])
    (result,) = program(other)
    torch.testing.assert_close(result, Writes()(other).detach())


class Assigns(Writes):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.count.data = self.count + 1
        return x * self.count


@pytest.mark.parametrize("dynamo", [True, False])
def test_an_assignment_to_data_is_refused(dynamo: bool) -> None:
    with pytest.raises(OnnxExporterError) as caught:
        onnx_export.export(Assigns(), (torch.ones(3),), verbose=False, dynamo=dynamo)
    line = Assigns.forward.__code__.co_firstlineno + 1
    assert any(
        found.location is not None and found.location.line == line for found in caught.value.diagnostics
    )
