"""The program of torch.export that an export leaves beside the model."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest
import torch

import onnx_export
from onnx_diagnostics import OnnxExporterError


def test_program_is_saved(tmp_path: Path) -> None:
    model, x = torch.nn.Linear(3, 2).eval(), torch.randn(4, 3)
    onnx_export.export(model, (x,), dump_exported_program=True, artifacts_dir=tmp_path, verbose=False)
    (path,) = tmp_path.iterdir()
    assert path.suffix == ".pt2"
    torch.testing.assert_close(torch.export.load(path).module()(x), model(x))


def test_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, hard))
    try:
        with pytest.raises(OnnxExporterError, match=r"\.pt2"):
            onnx_export.export(
                torch.nn.Linear(30, 20),
                (torch.randn(4, 30),),
                dump_exported_program=True,
                artifacts_dir=tmp_path,
                verbose=False,
            )
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert list(tmp_path.iterdir()) == []
