"""Dtypes for which ONNX has no element type are told by both front ends, with the line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from onnx_diagnostics import CaptureError, DiagnosticContext, render_text
from onnx_ir_capture import fx, torchscript
from onnx_ir_capture.program import CapturedProgram

X = torch.ones(2, 3)
HERE = Path(__file__).name


class Halved(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.to(torch.complex32).real.float()


class Weighted(torch.nn.Module):
    turn: torch.Tensor

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("turn", torch.ones(3, dtype=torch.complex32))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.view_as_real(self.turn)[:, 0] * x


class Sum(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + x


Capture = Callable[..., CapturedProgram]
CAPTURES = pytest.mark.parametrize("capture", [fx.capture, torchscript.capture_script])


@CAPTURES
@pytest.mark.parametrize("model", [Halved(), Weighted()])
def test_an_intermediate_result_or_weight(capture: Capture, model: torch.nn.Module) -> None:
    diagnostics = DiagnosticContext("untyped", "0")
    program = capture(model, (X,), diagnostics=diagnostics)
    text = render_text(list(diagnostics))
    assert not program.is_whole
    assert "CAP002" in text
    assert "ONNX has no element type for complex32; compute in complex64" in text


@CAPTURES
def test_the_line_is_named(capture: Capture) -> None:
    diagnostics = DiagnosticContext("untyped", "0")
    capture(Halved(), (X,), diagnostics=diagnostics)
    assert f"{HERE}:21" in render_text(list(diagnostics))


@CAPTURES
def test_an_input(capture: Capture) -> None:
    diagnostics = DiagnosticContext("untyped", "0")
    with pytest.raises(CaptureError, match="could not be captured"):
        capture(Sum(), (X.to(torch.complex32),), diagnostics=diagnostics)
    assert "x is a tensor of complex32, for which ONNX has no element type" in render_text(list(diagnostics))
