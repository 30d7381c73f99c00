"""``onnx-export verify``: files that compute what their models do, and files that do not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import onnx
import pytest
import torch
from click.testing import CliRunner, Result

import onnx_export
from onnx_diagnostics import DiagnosticContext
from onnx_export._file_program import load_model
from onnx_export.cli import main

MODEL = """import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.first, self.second = torch.nn.Linear(3, 50), torch.nn.Linear(50, 2)
        self.total = torch.nn.Buffer(torch.zeros(3))

    def forward(self, x, y=None):
        h = torch.relu(self.first(x if y is None else x + y))
        return {"scores": self.second(h), "best": h.argmax(-1)}


class Summing(Model):
    def forward(self, x):
        self.total += x.sum(0)
        return x * self.total


class Fixed(Model):
    def forward(self, x):
        return x * x.shape[0] if x.shape[0] == 5 else x


def build():
    return Model(), (torch.randn(5, 3),)


def with_more():
    return Model(), (torch.randn(5, 3), torch.randn(3))


def summing():
    return Summing(), (torch.randn(5, 3),)


def fixed():
    return Fixed(), (torch.randn(5, 3),)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "model.py").write_text(MODEL, encoding="utf-8")
    return tmp_path


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def exported(folder: Path, *options: str, factory: str = "build") -> Path:
    path = folder / "model.onnx"
    result = invoke("export", f"{folder / 'model.py'}:{factory}", str(path), *options)
    assert result.exit_code == 0, result.output
    return path


def verified(folder: Path, *options: str, factory: str = "build") -> Result:
    return invoke("verify", f"{folder / 'model.py'}:{factory}", str(folder / "model.onnx"), *options)


def with_tanh(path: Path, producer: str = "onnx-export") -> None:
    model = onnx.load(path)
    for node in model.graph.node:
        node.op_type = "Tanh" if node.op_type == "Relu" else node.op_type
    model.producer_name = producer
    path.with_name("model.onnx.data").unlink(missing_ok=True)
    onnx.save(model, path)


def test_a_right_file_is_compared_at_its_sizes(folder: Path) -> None:
    exported(folder, "--dynamic", "x:0=batch", "--output-names", "scores,best")
    result = verified(folder)
    assert result.exit_code == 0, result.output
    lines = [line.split("  ") for line in result.stdout.splitlines()]
    cells = [[cell.strip() for cell in line if cell.strip()] for line in lines[:-1]]
    assert cells[0] == ["output", "at", "largest difference", "equal"]
    assert {(row[0], row[1], row[3]) for row in cells[1:]} == {
        (output, at, "yes")
        for output in ("scores", "best")
        for at in ("the example's sizes", "batch=1", "batch=3", "batch=6")
    }
    assert lines[-1] == [f"{folder / 'model.onnx'} computes what {folder / 'model.py'}:build computes"]
    assert verified(folder, "--quiet").stdout == ""


def test_a_wrong_file_is_told_with_the_first_wrong_operator(folder: Path) -> None:
    with_tanh(exported(folder, "--input-names", "a", "--output-names", "b,c"))
    result = verified(folder, "--localise", "--sarif", str(folder / "log.sarif"))
    assert result.exit_code == 1
    assert "output b differs from PyTorch at the example's sizes" in result.stderr
    assert "aten::relu is the first operator that computes something else" in result.stderr
    line = MODEL.splitlines().index("        h = torch.relu(self.first(x if y is None else x + y))") + 1
    assert f"model.py:{line}  (model.Model.forward)  aten::relu" in result.stderr
    assert "b       the example's sizes" in result.stdout
    (run,) = json.loads((folder / "log.sarif").read_text(encoding="utf-8"))["runs"]
    assert {"EXP002", "EXP011"} <= {found["ruleId"] for found in run["results"]}


def test_it_is_not_searched_for_unless_asked(folder: Path) -> None:
    with_tanh(exported(folder))
    result = verified(folder)
    assert result.exit_code == 1
    assert "EXP002" in result.stderr
    assert "EXP011" not in result.stderr


def test_files_of_others_are_compared_by_their_outputs_alone(folder: Path) -> None:
    with_tanh(exported(folder), producer="pytorch")
    result = verified(folder)
    assert result.exit_code == 1
    assert "EXP002" in result.stderr
    result = verified(folder, "--localise")
    assert result.exit_code == 1
    assert "the file says that pytorch wrote it" in result.stderr


def test_tolerances_are_the_caller_s(folder: Path) -> None:
    path = exported(folder, factory="fixed")
    model = onnx.load(path)
    model.graph.node.add(op_type="Mul", input=[model.graph.output[0].name, "factor"], output=["scaled"])
    model.graph.initializer.append(onnx.numpy_helper.from_array(torch.tensor(1.01).numpy(), "factor"))
    model.graph.output[0].name = "scaled"
    onnx.save(model, path)
    assert verified(folder, factory="fixed").exit_code == 1
    assert verified(folder, "--tolerance", "float32=0.1", factory="fixed").exit_code == 0
    for text in ("float32", "float=1", "float32=much"):
        result = verified(folder, "--tolerance", text)
        assert result.exit_code == 2
        assert "must look like float32=1e-5" in result.stderr


def test_state_is_compared(folder: Path) -> None:
    exported(folder, "--keep-state", "--dynamic", "x:0=batch", factory="summing")
    result = verified(folder, "--localise", factory="summing")
    assert result.exit_code == 0, result.output
    assert "total_out" in result.stdout


def test_sizes_that_cannot_be_captured_are_left_as_in_the_example(folder: Path) -> None:
    path = exported(folder, factory="fixed")
    model = onnx.load(path)
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "batch"
    onnx.save(model, path)
    result = verified(folder, factory="fixed")
    assert result.exit_code == 0, result.output


def test_programs_and_archives_are_compared(tmp_path: Path) -> None:
    x = torch.randn(2, 3)
    archive, program = tmp_path / "model.pt", tmp_path / "model.pt2"
    torch.jit.save(torch.jit.script(torch.nn.Linear(3, 2)), archive)
    torch.export.save(torch.export.export(torch.nn.Linear(3, 2), (x,)), program)
    for path, options in ((archive, ["--input", "2x3:float32"]), (program, [])):
        onnx_export.export(path, (x,) if options else (), tmp_path / "model.onnx", verbose=False)
        result = invoke("verify", str(path), str(tmp_path / "model.onnx"), *options)
        assert result.exit_code == 0, result.output


def test_a_file_with_other_inputs_is_told(folder: Path) -> None:
    exported(folder)
    result = verified(folder, factory="with_more")
    assert result.exit_code == 1
    assert "the file takes 1 inputs (x), and the model with these examples 2 (x, y)" in result.stderr


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:200])


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (cut, "holds no ONNX model that can be read"),
        (lambda path: path.write_bytes(b""), "it is empty"),
        (lambda path: path.write_text("no model"), "holds no ONNX model that can be read"),
        (lambda path: path.with_name("model.onnx.data").unlink(), "model.onnx.data"),
    ],
)
def test_files_that_cannot_be_read_are_told(
    tmp_path: Path, spoil: Callable[[Path], object], reason: str
) -> None:
    (tmp_path / "model.py").write_text(
        "import torch\ndef build():\n    return torch.nn.Linear(64, 64), (torch.ones(2, 64),)\n"
    )
    path = exported(tmp_path)
    assert path.with_name("model.onnx.data").exists()
    spoil(path)
    result = verified(tmp_path)
    assert result.exit_code == 1
    assert reason in result.stderr
    assert isinstance(result.exception, SystemExit)


def test_a_capture_can_be_converted_to_several_targets() -> None:
    context = DiagnosticContext("test", "1")
    captured = onnx_export.Exporter(diagnostics=context).capture(torch.nn.ReLU(), (torch.ones(2),))
    opsets = [
        onnx_export.Exporter(opset, diagnostics=context).convert(captured).model.opset_imports[""]
        for opset in (13, 20)
    ]
    assert opsets == [13, 20]


def test_weights_come_with_the_file(folder: Path) -> None:
    model = load_model(exported(folder))
    assert all(weight.const_value is not None for weight in model.graph.initializers.values())
