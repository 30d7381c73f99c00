"""Exports of TorchScript code: modules, functions and archives."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import torch

import onnx_export
from onnx_diagnostics import CaptureError, OnnxExporterError


class Stops(torch.nn.Module):
    def forward(self, x: torch.Tensor, count: int) -> torch.Tensor:
        for _ in range(count):
            x = x * 1.5
            if bool(x.sum() > 20):
                break
        return x


class Returns(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if bool(x.sum() > 0):
            return x + 1
        return (x - 1) * 2


class Grows(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        while bool(x.max() < 100):
            x = x * 2
        return x


class Perhaps(torch.nn.Module):
    def forward(self, x: torch.Tensor, more: torch.Tensor | None = None) -> torch.Tensor:
        if more is not None:
            x = x + more
        return x[:1] if bool(x.sum() > 0) else x


X = torch.rand(2, 3) + 0.1


@pytest.mark.parametrize(
    ("model", "args"),
    [
        (Stops(), (X, 4)),
        (Returns(), (X,)),
        (Returns(), (-X,)),
        (Grows(), (X,)),
        (Perhaps(), (X,)),
        (Perhaps(), (-X, X)),
    ],
)
def test_control_flow_is_kept(model: torch.nn.Module, args: tuple[object, ...]) -> None:
    program = onnx_export.export(torch.jit.script(model), args, verify=True, verbose=False)
    for scale in (0.1, 5):
        other = tuple(arg * scale if isinstance(arg, torch.Tensor) else arg for arg in args)
        torch.testing.assert_close(program(*other)[0], model(*other))


def test_bad_archives_and_arguments_are_told(tmp_path: Path) -> None:
    path = tmp_path / "model.pt"
    torch.jit.script(Stops()).save(path)
    with pytest.raises(CaptureError, match="count is of type int"):
        onnx_export.export(path, (X, X), tmp_path / "out.onnx", verbose=False)
    with pytest.raises(CaptureError, match="count"):
        onnx_export.export(path, (X,), tmp_path / "out.onnx", verbose=False)
    path.write_bytes(path.read_bytes()[:-400])
    with pytest.raises(OnnxExporterError, match=r"model\.pt"):
        onnx_export.export(path, (X, 3), tmp_path / "out.onnx", verbose=False)
    assert not (tmp_path / "out.onnx").exists()


class Computes(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> list[torch.Tensor]:
        rows, columns = x.size(0), x.size(1)
        return [
            x * math.log(rows) + math.exp(rows * 0.1) + math.sin(rows) + math.cos(rows),
            x * math.log(columns) + math.log10(float(rows)) + math.radians(columns),
            torch.tensor(rows),
            torch.tensor(rows * 0.5),
            torch.tensor(rows > 3),
            torch.tensor(rows, dtype=torch.int32),
            torch.tensor(2.5, dtype=torch.float64),
        ]


@pytest.mark.parametrize("use_torch_lib", [False, True])
def test_numbers_go_through_math_and_into_tensors(use_torch_lib: bool) -> None:
    program = onnx_export.export(
        torch.jit.script(Computes()),
        (X,),
        dynamic_axes={"x": {0: "rows"}},
        use_torch_lib=use_torch_lib,
        verbose=False,
    )
    x = torch.rand(5, 3)
    for got, wanted in zip(program(x), Computes()(x), strict=True):
        torch.testing.assert_close(got, wanted)
