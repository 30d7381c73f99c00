"""Models in training mode, and what an export leaves of a model."""

from __future__ import annotations

import copy
import warnings

import pytest
import torch

import onnx_export
from onnx_diagnostics import OnnxExporterError


class Trained(torch.nn.Module):
    """Takes another way in training mode than dropout and batch norm alone would."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 5, 3)
        self.norm = torch.nn.BatchNorm2d(5)
        self.drop = torch.nn.Dropout(0.5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y: torch.Tensor = self.drop(self.norm(self.conv(x)))
        return y * 2 if self.training else y


def test_a_model_in_training_mode_is_exported_as_in_eval_mode() -> None:
    model = Trained()
    x = torch.randn(2, 3, 7, 7)
    program = onnx_export.export(model, (x,), verbose=False)
    assert any(found.rule.name == "training-mode" for found in program.diagnostics)
    with torch.no_grad():
        expected = copy.deepcopy(model).eval()(x)
    torch.testing.assert_close(program(x)[0], expected)


@pytest.mark.parametrize("fails", [False, True])
def test_the_model_is_as_before(fails: bool) -> None:
    model = Trained()
    model.norm.eval()
    if fails:
        model.conv = torch.nn.Conv2d(4, 5, 3)  # takes four channels, and is given three
    flags = {name: module.training for name, module in model.named_modules()}
    state = {name: value.clone() for name, value in model.state_dict().items()}
    random = torch.get_rng_state()
    try:
        onnx_export.export(model, (torch.ones(2, 3, 7, 7),), verbose=False)
    except OnnxExporterError:
        assert fails
    else:
        assert not fails
    assert {name: module.training for name, module in model.named_modules()} == flags
    assert all(torch.equal(value, state[name]) for name, value in model.state_dict().items())
    assert torch.equal(torch.get_rng_state(), random)


def test_training_mode_can_be_kept() -> None:
    class Doubled(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x * 2 if self.training else x

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        program = onnx_export.export(Doubled(), (torch.ones(2),), training=1, verbose=False)
    assert program(torch.ones(2))[0].tolist() == [2.0, 2.0]
