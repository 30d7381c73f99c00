"""Weights whose values cannot be read: nothing before saving may ask for them."""

from __future__ import annotations

from typing import NoReturn

import onnx_ir as ir
import pytest
import torch

from onnx_diagnostics import DiagnosticContext, render_text
from onnx_ir_capture.contracts import Target
from onnx_ir_capture.fx import import_exported_program
from onnx_ir_capture.lowering import lower
from onnx_torchlib import TRANSLATORS


class Small(torch.nn.Module):
    """Weights of a few elements in every role: factor, bound, index, number in a form."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(3, 4)
        self.norm = torch.nn.LayerNorm(4)
        self.bound = torch.nn.Parameter(torch.ones(()))
        self.register_buffer("places", torch.tensor([1, 0]))
        self.slope = torch.nn.PReLU()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.slope(self.norm(self.linear(x)))
        y = torch.minimum(y, self.bound) * self.bound + self.bound
        return y.index_select(1, self.get_buffer("places")).reshape(-1)


def _unread() -> NoReturn:
    raise AssertionError("a weight was read")


@pytest.mark.parametrize("opset", [18, 23])
@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_lowering_reads_no_weight(opset: int, device: str) -> None:
    exported = torch.export.export(Small().to(device), (torch.ones(2, 3, device=device),))
    diagnostics = DiagnosticContext("test", "0")
    program = import_exported_program(exported, diagnostics)
    for name, value in program.model.graph.initializers.items():
        tensor = value.const_value
        assert tensor is not None
        assert value.shape is not None
        value.const_value = ir.LazyTensor(_unread, tensor.dtype, value.shape, name=name)
    lowered = lower(program, [TRANSLATORS], Target(opset), diagnostics)
    assert not lowered.failed, render_text(list(diagnostics))
