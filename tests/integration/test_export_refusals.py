"""Inputs, models and options that cannot be exported or compared, each told in one clear error."""

from __future__ import annotations

import importlib
from types import ModuleType

import pytest
import torch

import onnx_export
from onnx_diagnostics import CaptureError, ConversionError, VerificationError


class Cubed(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        gradient: torch.Tensor = torch.func.grad(lambda y: (y**3).sum())(x)
        return gradient


class Noisy(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + torch.randn_like(x)


def test_tensors_inside_of_a_transform_are_refused() -> None:
    with pytest.raises(ConversionError, match=r"CAP002.*torch\.func"):
        onnx_export.export(Cubed().eval(), (torch.randn(2, 3),), verbose=False)


def test_a_sparse_example_is_refused() -> None:
    with pytest.raises(CaptureError, match=r"CAP014.*layout sparse_coo[\s\S]*input.to_dense\(\)"):
        onnx_export.export(torch.nn.ReLU().eval(), (torch.eye(3).to_sparse(),), verbose=False)


def test_a_model_that_draws_random_numbers_is_said_to_do_so_when_it_differs() -> None:
    with pytest.raises(VerificationError, match="draws random numbers"):
        onnx_export.export(Noisy().eval(), (torch.randn(2, 3),), verify=True, verbose=False)


def test_a_folder_for_artifacts_that_cannot_be_made_is_named() -> None:
    with pytest.raises(ValueError, match="artifacts_dir='/dev/null/logs' cannot be made"):
        onnx_export.export(
            torch.nn.ReLU().eval(),
            (torch.ones(2),),
            report=True,
            artifacts_dir="/dev/null/logs",
            verbose=False,
        )


def test_a_missing_runtime_is_noticed_before_the_export(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> ModuleType:
        raise ImportError(name)

    class Raises(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            raise AssertionError("the model is not to be run")

    runtime = importlib.import_module("onnx_export._runtime")
    monkeypatch.setattr(runtime.importlib, "import_module", missing)
    with pytest.raises(ImportError, match=r"pip install 'onnx-export\[verify\]'"):
        onnx_export.export(Raises().eval(), (torch.ones(2),), verify=True, verbose=False)
