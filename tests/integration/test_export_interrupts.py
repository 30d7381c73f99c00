"""Ctrl-C while a model is captured, lowered, verified or saved: the files and the model are as before."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

import onnx_export
from onnx_export import _export, _progress
from onnx_ir_capture.fx import _guard

X = torch.randn(3, 7)


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(7, 300)
        self.norm = torch.nn.BatchNorm1d(300)
        self.interrupted = False

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.interrupted:
            raise KeyboardInterrupt
        result: torch.Tensor = self.norm(self.layer(x))
        return result


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def interrupted(model: Net, path: Path) -> None:
    before, state = files(path.parent), {name: value.clone() for name, value in model.state_dict().items()}
    weight = model.layer.weight
    with pytest.raises(KeyboardInterrupt):
        onnx_export.export(model, (X,), path, verbose=False, verify=True)
    assert files(path.parent) == before
    assert all(module.training for module in model.modules())
    assert model.layer.weight is weight
    assert all(torch.equal(value, state[name]) for name, value in model.state_dict().items())
    assert not torch.onnx.is_in_onnx_export()
    model.interrupted = False
    onnx_export.export(model, (X,), path, verbose=False)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "model.onnx"
    onnx_export.export(Net(), (X,), path, verbose=False)
    return path


def test_in_the_model(saved: Path) -> None:
    model = Net().train()
    model.interrupted = True
    interrupted(model, saved)


@pytest.mark.parametrize("stage", ["capture", "passes", "lowering", "finish", "check"])
def test_after_each_stage(saved: Path, stage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def strike(self: _progress.Progress, name: str, seconds: float) -> None:
        if name == stage:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(_progress.Progress, "__call__", strike)
        model = Net().train()
        before = files(saved.parent)
        with pytest.raises(KeyboardInterrupt):
            onnx_export.export(model, (X,), saved, verbose=False)
    assert files(saved.parent) == before
    assert all(module.training for module in model.modules())


@pytest.mark.parametrize("place", ["compare_program", "_write"])
def test_before_verification_and_saving(saved: Path, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def strike(*args: object, **kwargs: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(_export, place, strike)
    model, before = Net().train(), files(saved.parent)
    with pytest.raises(KeyboardInterrupt):
        onnx_export.export(model, (X,), saved, verbose=False, verify=True)
    assert files(saved.parent) == before
    assert all(module.training for module in model.modules())


def test_while_the_model_is_put_back(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    strikes = [KeyboardInterrupt()]
    restore = _guard._ModuleState.restore

    def strike(self: _guard._ModuleState) -> None:
        restore(self)
        if strikes:
            raise strikes.pop()

    monkeypatch.setattr(_guard._ModuleState, "restore", strike)
    interrupted(Net().train(), saved)
