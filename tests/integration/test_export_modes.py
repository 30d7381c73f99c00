"""Models in training mode, and what an export leaves of a model."""

from __future__ import annotations

import copy
import warnings

import pytest
import torch
import torch.nn.functional as F

import onnx_export
from onnx_diagnostics import Level, OnnxExporterError
from onnx_jitpasses.rules import MODE_SWITCHED


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
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        program = onnx_export.export(model, (x,))
    (note,) = (found for found in program.diagnostics if found.rule.name == "training-mode")
    assert note.level is Level.NOTE
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
        onnx_export.export(model, (torch.ones(2, 3, 7, 7),))
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
        warnings.filterwarnings("ignore", "CAP011", UserWarning)
        program = onnx_export.export(Doubled(), (torch.ones(2),), training=1)
    assert program(torch.ones(2))[0].tolist() == [2.0, 2.0]


class Deliberate(torch.nn.Module):
    """Goes by the statistics of its input in whichever mode it is."""

    def __init__(self, norm: str, dtype: torch.dtype) -> None:
        super().__init__()
        self.norm = norm
        self.register_buffer("mean", torch.ones(5, dtype=dtype))
        self.register_buffer("variance", torch.full((5,), 2.0, dtype=dtype))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        mean, variance = self.get_buffer("mean").clone(), self.get_buffer("variance").clone()
        if self.norm == "batch":
            y = F.batch_norm(x, mean, variance, training=True, momentum=0.25)
        else:
            y = F.instance_norm(x, mean, variance, use_input_stats=True, momentum=0.25)
        return y, mean, variance


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("norm", ["batch", "instance"])
def test_training_mode_that_the_model_asks_for_stays(norm: str, dtype: torch.dtype) -> None:
    model = Deliberate(norm, dtype).eval()
    x = torch.randn(2, 5, 7, 3, dtype=dtype) * 3 + 10
    program = onnx_export.export(model, (x,))
    torch.testing.assert_close(tuple(program(x)), model(x))


def test_dropout_that_the_model_asks_for_is_random_in_the_file() -> None:
    class Random(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return F.dropout(x, 0.75, training=True)

    program = onnx_export.export(Random().eval(), (torch.ones(101, 103),))
    found = program(torch.ones(101, 103))[0]
    assert found.unique().tolist() == [0.0, 4.0]
    assert abs(found.mean().item() - 1) < 0.2
    assert not torch.equal(found, program(torch.ones(101, 103))[0])


def test_layers_of_an_exported_program_are_put_into_eval_mode() -> None:
    model = torch.nn.Sequential(torch.nn.BatchNorm1d(5), torch.nn.Dropout(0.5))
    x = torch.randn(7, 5)
    with pytest.warns(UserWarning, match="JIT003: aten::batch_norm was captured in training mode"):
        program = onnx_export.export(torch.export.export(model, (x,)))
    found = [finding for finding in program.diagnostics if finding.rule == MODE_SWITCHED]
    assert [finding.message.split()[0] for finding in found] == ["aten::batch_norm", "aten::dropout"]
    torch.testing.assert_close(program(x)[0], model.eval()(x))


class Decomposable(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.batch = torch.nn.BatchNorm1d(3)
        self.drop = torch.nn.Dropout(0.5)
        self.instance = torch.nn.InstanceNorm1d(3, affine=True, track_running_stats=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y: torch.Tensor = self.instance(self.drop(self.batch(x)))
        return y


@pytest.mark.parametrize("apart", ["by the export", "into core ATen", "to functional form"])
def test_layers_of_a_decomposed_program_are_put_into_eval_mode(apart: str) -> None:
    model = Decomposable()
    x = torch.randn(2, 3, 7)
    with torch.no_grad():
        for _ in range(3):
            model(torch.rand(2, 3, 7) * 5)
    exported = torch.export.export(model.train(), (x,))
    by_export = apart == "by the export"
    if not by_export:
        exported = exported.run_decompositions(None if apart == "into core ATen" else {})
    with pytest.warns(UserWarning, match="JIT003: aten::_native_batch_norm_legit_functional"):
        program = onnx_export.export(exported, decompose=by_export, use_torch_lib=False)
    switched = [found.message.split()[0] for found in program.diagnostics if found.rule == MODE_SWITCHED]
    assert "aten::_native_batch_norm_legit_functional" in switched
    assert "aten::native_dropout" in switched
    with torch.no_grad():
        expected = model.eval()(x)
    torch.testing.assert_close(program(x)[0], expected)
