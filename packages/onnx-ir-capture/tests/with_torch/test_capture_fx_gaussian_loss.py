"""The Gaussian loss is captured for variances of any values."""

from __future__ import annotations

import pytest
import torch
from torch.nn import functional as f

from onnx_diagnostics import DiagnosticContext
from onnx_ir_capture.fx import capture
from onnx_ir_capture.interpreter import Interpreter

SEED = torch.Generator().manual_seed(0)
X, Y = torch.randn(5, 7, generator=SEED), torch.randn(5, 7, generator=SEED)
VARIANCES = torch.rand(5, 7, generator=SEED)


class Loss(torch.nn.Module):
    def __init__(self, full: bool, reduction: str) -> None:
        super().__init__()
        self._loss = torch.nn.GaussianNLLLoss(full=full, eps=0.1, reduction=reduction)

    def forward(self, x: torch.Tensor, y: torch.Tensor, variances: torch.Tensor) -> object:
        return self._loss(x, y, variances)


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
@pytest.mark.parametrize("variances", [VARIANCES, VARIANCES[:, 0], VARIANCES[:, :1]])
def test_the_loss_is_the_same(full: bool, reduction: str, variances: torch.Tensor) -> None:
    model = Loss(full, reduction).eval()
    program = capture(model, (X, Y, variances), diagnostics=DiagnosticContext("loss", "0"))
    (result,) = Interpreter(program.model).run([X, Y, variances])
    torch.testing.assert_close(result, f.gaussian_nll_loss(X, Y, variances, full, 0.1, reduction))


def test_outside_of_captures_it_raises_as_ever() -> None:
    with pytest.raises(ValueError, match="negative"):
        f.gaussian_nll_loss(X, Y, -VARIANCES)
