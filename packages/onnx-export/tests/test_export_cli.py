"""The command line and the log: what they say when something cannot be read or written."""

from __future__ import annotations

import json
import re
import sys
import uuid
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from click.testing import CliRunner, Result

import onnx_export
from onnx_diagnostics import DiagnosticContext, OnnxExporterError
from onnx_export._artifacts import Artifacts, sarif_log
from onnx_export.cli import main

FINE = "def build():\n    import torch\n    return torch.nn.ReLU(), (torch.ones(2),)\n"
FAILING = """import torch

@torch.library.custom_op("commandline::whatever", mutates_args=())
def whatever(x: torch.Tensor) -> torch.Tensor:
    return x.clone()

whatever.register_fake(torch.empty_like)

class Model(torch.nn.Module):
    def forward(self, x):
        return whatever(x)

def build():
    return Model(), (torch.ones(3, 3),)
"""


def run(folder: Path, source: str, *options: str) -> Result:
    (folder / "model.py").write_text(source, encoding="utf-8")
    arguments = ["export", f"{folder / 'model.py'}:build", str(folder / "model.onnx"), *options]
    return CliRunner().invoke(main, arguments)


def test_a_failure_names_the_log(tmp_path: Path) -> None:
    log = tmp_path / "model.sarif"
    result = run(tmp_path, FAILING, "--sarif", str(log))
    assert result.exit_code == 1
    assert f"The complete log: {log}" in result.output
    assert (
        json.loads(log.read_text(encoding="utf-8"))["runs"][0]["invocations"][0]["executionSuccessful"]
        is False
    )


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a folder that nobody can write to")
def test_a_log_that_cannot_be_written_is_refused_before_any_work(tmp_path: Path) -> None:
    result = run(tmp_path, "raise ValueError('it was imported')", "--sarif", "/proc/model.sarif")
    assert result.exit_code == 2
    assert "/proc/model.sarif cannot be written" in result.output


STATEFUL = """import torch
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.total = torch.nn.Buffer(torch.zeros(3))
    def forward(self, x, y):
        self.total.add_(x.sum(0))
        return torch.nn.functional.linear(x, torch.ones(3, 3)) + self.total, y + 1
def build():
    return Model(), (torch.ones(5, 3), torch.ones(5, 7))
"""


def test_options_reach_the_export(tmp_path: Path) -> None:
    options = ["--dynamic", "a:0=rows[2:64]", "--dynamic", "b:0=rows,1", "--input-names", "a,b"]
    options += [
        "--output-names",
        "c,d",
        "--keep-state",
        "--decompose",
        "--no-torch-lib",
        "--one-file",
        "--verify",
    ]
    result = run(tmp_path, STATEFUL, *options)
    assert result.exit_code == 0, result.output
    model = onnx.load(tmp_path / "model.onnx")
    assert [value.name for value in model.graph.input] == ["a", "b", "total"]
    assert [value.name for value in model.graph.output] == ["c", "d", "total_out"]
    dims = [dim.dim_param for value in model.graph.input[:2] for dim in value.type.tensor_type.shape.dim]
    assert dims[:3] == ["rows", "", "rows"]
    assert dims[3] not in ("", "rows")
    assert not (tmp_path / "model.onnx.data").exists()


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["x"], "must look like"),
        (["x:0=a b"], "must look like"),
        (["x:0=a[2]"], "must look like"),
        (["x:0=a,0=b"], "must look like"),
        (["x:0=a", "x:0=b"], "axis 0 of x is named twice"),
        (["x:0=a[2:4]", "y:0=a[2:5]"], "a has two different bounds"),
        (["x:0=a[9:4]"], r"a\[9:4\]: "),
    ],
)
def test_dimensions_that_are_not_understood(tmp_path: Path, texts: list[str], message: str) -> None:
    result = run(tmp_path, FINE, *(part for text in texts for part in ("--dynamic", text)))
    assert result.exit_code == 2
    assert re.search(message, result.output.replace("\n", " "))
    assert not (tmp_path / "model.onnx").exists()


def test_a_missing_import_of_the_module_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    name = f"model_{uuid.uuid4().hex}"
    (tmp_path / f"{name}.py").write_text("import surely_not_installed\n", encoding="utf-8")
    for source in (f"{name}:build", f"{name}.py:build"):
        result = CliRunner().invoke(main, ["export", source, "model.onnx"])
        assert result.exit_code == 1
        assert "No module named 'surely_not_installed'" in result.output
        assert "with its .py" not in result.output
    result = CliRunner().invoke(main, ["export", "surely_not_there:build", "model.onnx"])
    assert "with its .py" in result.output


def test_an_error_is_not_replaced_by_that_of_its_log(tmp_path: Path) -> None:
    log = tmp_path / "no folder" / "model.sarif"
    with pytest.raises(OnnxExporterError) as caught, sarif_log(DiagnosticContext("test", "1"), log):
        raise OnnxExporterError("the export failed")
    assert caught.value.log_path is None
    if sys.version_info >= (3, 11):
        assert any("The log could not be written" in note for note in caught.value.__notes__)


def test_a_log_alone_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with (
        pytest.raises(FileNotFoundError),
        sarif_log(DiagnosticContext("test", "1"), tmp_path / "none" / "a.sarif"),
    ):
        pass


def test_exports_of_one_second_have_files_of_their_own(tmp_path: Path) -> None:
    paths = {Artifacts(tmp_path).path(".sarif") for _ in range(3)}
    assert len(paths) == 3


@pytest.mark.parametrize(
    ("axes", "message"),
    [
        ({"x": {5: "batch"}}, "dynamic_axes names axis 5 of input"),
        ({"x": 5}, "dynamic_axes has 5 for 'x'"),
        (["x"], "dynamic_axes must be a dict"),
    ],
)
def test_complaints_about_dynamic_axes_call_it_so(axes: object, message: str) -> None:
    call: Callable[..., object] = onnx_export.export
    with pytest.raises((OnnxExporterError, TypeError), match=message) as caught:
        call(torch.nn.ReLU(), (torch.ones(2),), input_names=["x"], dynamic_axes=axes, verbose=False)
    assert "dynamic_shapes" not in str(caught.value).partition("\n    ")[0].replace(
        "invalid-dynamic-shapes", ""
    )


@pytest.mark.parametrize("f", [3, sys.stdout], ids=["int", "file"])
def test_what_is_no_path_is_called_f(f: object) -> None:
    call: Callable[..., object] = onnx_export.export
    with pytest.raises(TypeError, match=r"^f must be a path"):
        call(torch.nn.ReLU(), (torch.ones(2),), f, verbose=False)


def test_integers_of_numpy_are_opsets() -> None:
    call: Callable[..., onnx_export.ONNXProgram] = onnx_export.export
    program = call(torch.nn.ReLU(), (torch.ones(2),), opset_version=np.int64(21), verbose=False)
    assert program.model.opset_imports[""] == 21


@pytest.mark.parametrize("source", [":build", "model.py:"])
def test_a_source_without_a_name_is_told_its_form(source: str) -> None:
    result = CliRunner().invoke(main, ["export", source, "model.onnx"])
    assert result.exit_code == 2
    assert f"'{source}' lacks a name: give MODULE:FACTORY" in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("returned", "reason"),
    [
        ("3, ()", "its model is of class int, neither a module nor a function"),
        ("torch.nn.ReLU, ()", "its model is the class ReLU, neither a module nor a function"),
        ("torch.nn.ReLU(), (), {}, 4", "not a tuple of 4"),
        ("torch.nn.ReLU()", "not a ReLU"),
    ],
)
def test_what_a_factory_must_return_is_told(returned: str, reason: str, tmp_path: Path) -> None:
    result = run(tmp_path, f"import torch\ndef build():\n    return {returned}\n")
    assert result.exit_code == 2
    text = " ".join(result.output.replace("\n", " ").split())
    assert "must return (model, args) or (model, args, kwargs)" in text
    assert reason in text


def test_a_factory_may_return_a_function(tmp_path: Path) -> None:
    result = run(
        tmp_path, "import torch\ndef build():\n    return torch.relu, (torch.ones(2),)\n", "--verify"
    )
    assert result.exit_code == 0, result.output
    assert (tmp_path / "model.onnx").is_file()


@pytest.mark.parametrize("place", ["    ", ""])
def test_a_source_that_exits_is_told(place: str, tmp_path: Path) -> None:
    result = run(tmp_path, f"def build():\n    pass\n{place}raise SystemExit(0)\n")
    assert result.exit_code == 1
    assert "raised SystemExit: 0" in result.output
