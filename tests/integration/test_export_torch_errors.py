"""Errors of an export where the caller expects those of torch.onnx."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
import torch.onnx.errors
from torch.onnx._internal.exporter import _errors

import onnx_export
from onnx_diagnostics import (
    CaptureError,
    ConversionError,
    DiagnosticError,
    OnnxExporterError,
    UnsupportedOperatorError,
)


class Untranslated(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y: torch.Tensor = torch.ops.torcherrors.whatever(x)
        return y


@pytest.fixture(scope="module", autouse=True)
def operator() -> Iterator[None]:
    library = torch.library.Library("torcherrors", "DEF")
    library.define("whatever(Tensor x) -> Tensor")
    library.impl("whatever", torch.clone, "CompositeExplicitAutograd")
    torch.library.register_fake("torcherrors::whatever", torch.empty_like, lib=library)
    yield
    library._destroy()


class Branch(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + 1 if x.sum() > 0 else x - 1


class Nothing(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> None:
        return None


def failed(model: torch.nn.Module, **options: object) -> OnnxExporterError:
    with pytest.raises(OnnxExporterError) as caught:
        onnx_export.export(model, (torch.ones(2),), **options)  # type: ignore[arg-type]  # passed on
    return caught.value


@pytest.mark.parametrize("dynamo", [True, False])
def test_it_is_caught_as_an_error_of_torch(dynamo: bool) -> None:
    with pytest.raises(torch.onnx.OnnxExporterError, match="torcherrors::whatever"):
        onnx_export.export(Untranslated(), (torch.ones(2),), dynamo=dynamo)
    with pytest.raises(torch.onnx.errors.UnsupportedOperatorError):
        onnx_export.export(Untranslated(), (torch.ones(2),), dynamo=dynamo)
    with pytest.raises(RuntimeError):
        onnx_export.export(Untranslated(), (torch.ones(2),), dynamo=dynamo)


def test_each_kind_has_its_counterpart() -> None:
    unsupported, captured, converted = (
        failed(Untranslated()),
        failed(Branch(), fallback=False),
        failed(Nothing()),
    )
    assert isinstance(unsupported, UnsupportedOperatorError)
    assert isinstance(unsupported, _errors.DispatchError)
    assert isinstance(captured, CaptureError)
    assert isinstance(captured, _errors.TorchExportError)
    assert not isinstance(captured, _errors.ConversionError)
    assert isinstance(converted, ConversionError)
    assert isinstance(converted, _errors.ConversionError)
    assert isinstance(converted, torch.onnx.errors.SymbolicValueError)
    assert not isinstance(converted, torch.onnx.errors.UnsupportedOperatorError)


def test_an_archive_that_cannot_be_read_is_such_an_error(tmp_path: Path) -> None:
    (tmp_path / "model.pt2").write_bytes(b"nothing")
    with pytest.raises(torch.onnx.OnnxExporterError, match=r"model\.pt2"):
        onnx_export.export(tmp_path / "model.pt2")


def test_it_still_is_what_it_was(tmp_path: Path) -> None:
    error = failed(Untranslated(), report=True, artifacts_dir=tmp_path)
    assert type(error).__name__ == "UnsupportedOperatorError"
    assert type(error).__module__ == UnsupportedOperatorError.__module__
    assert [found.rule.code for found in error.diagnostics] == ["LOW001"]
    assert error.log_path is not None
    assert error.message == "no translation to opset 20 for 1 call of 1 operator"
    shown = "".join(traceback.format_exception(error))
    assert "_raise_failures" in shown
    assert "UnsupportedOperatorError: no translation" in shown


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))]
)
def test_a_copy_is_such_an_error_too(copied: object) -> None:
    assert callable(copied)
    error = failed(Untranslated())
    made = copied(error)
    assert isinstance(made, torch.onnx.errors.UnsupportedOperatorError)
    assert isinstance(made, UnsupportedOperatorError)
    assert made.diagnostics == error.diagnostics
    assert str(made) == str(error)


def test_another_process_reads_it_without_torch(tmp_path: Path) -> None:
    (tmp_path / "error").write_bytes(pickle.dumps(failed(Untranslated())))
    code = (
        "import pickle, sys; error = pickle.loads(open(sys.argv[1], 'rb').read()); "
        "print(type(error).__mro__[1].__name__, len(error.diagnostics), 'torch' in sys.modules)"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "error")]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["ConversionError", "1", "False"]


def test_a_warning_points_at_the_call() -> None:
    with pytest.warns(DeprecationWarning, match="autograd_inlining") as caught:
        onnx_export.export(torch.nn.ReLU(), (torch.ones(2),), autograd_inlining=False)
    assert {Path(warning.filename) for warning in caught} == {Path(__file__)}


def test_errors_that_are_no_exporter_s_stay_what_they_are() -> None:
    with pytest.raises(ValueError, match="opset_version") as caught:
        onnx_export.export(Untranslated(), (torch.ones(2),), opset_version=0)
    assert not isinstance(caught.value, (DiagnosticError, torch.onnx.OnnxExporterError))
