"""Archives of TorchScript on the command line."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import onnx
import pytest
import torch
from click.testing import CliRunner, Result

from onnx_export._input_option import example_inputs
from onnx_export.cli import main


class Scaled(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.rand(3))

    def forward(self, x: torch.Tensor, rate: int, offset: torch.Tensor | None = None) -> torch.Tensor:
        if rate > 8000:
            x = x * self.weight
        return x if offset is None else x + offset


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "model.pt"
    torch.jit.save(torch.jit.script(Scaled()), path)
    return path


def run(archive: Path, *options: str) -> Result:
    output = str(archive.with_suffix(".onnx"))
    return CliRunner().invoke(main, ["export", str(archive), output, *options])


def inputs_of(archive: Path) -> dict[str, tuple[int, list[str | int]]]:
    model = onnx.load(archive.with_suffix(".onnx"))
    return {
        value.name: (
            value.type.tensor_type.elem_type,
            [dim.dim_param or dim.dim_value for dim in value.type.tensor_type.shape.dim],
        )
        for value in model.graph.input
    }


def test_an_archive_is_exported_with_inputs_from_the_command_line(archive: Path) -> None:
    result = run(archive, "--input", "2x3:float32", "--input", "16000", "--verify", "--dynamic", "x:0=batch")
    assert result.exit_code == 0, result.output
    assert inputs_of(archive) == {
        "x": (onnx.TensorProto.FLOAT, ["batch", 3]),
        "rate": (onnx.TensorProto.INT64, []),
    }


def test_inputs_have_names(archive: Path) -> None:
    result = run(archive, "--input", "2x3:float32", "--input", "offset=:float32", "--input", "rate=8000")
    assert result.exit_code == 0, result.output
    assert list(inputs_of(archive)) == ["x", "offset", "rate"]


def test_texts_become_values() -> None:
    args, kwargs = example_inputs(
        ["2x3:int64", ":bool", "2x0:float16", "-7", "0.5", "true", "none", "a=1e3", "b=1:complex64"]
    )
    assert [type(value) for value in args] == [torch.Tensor] * 3 + [int, float, bool, type(None)]
    assert torch.equal(torch.tensor([[0, 1, 0], [1, 0, 1]]), torch.as_tensor(args[0]))
    assert [(value.shape, value.dtype) for value in args[1:3] if isinstance(value, torch.Tensor)] == [
        (torch.Size([]), torch.bool),
        (torch.Size([2, 0]), torch.float16),
    ]
    assert args[3:] == [-7, 0.5, True, None]
    assert kwargs["a"] == 1000.0
    again, _ = example_inputs(["5x7:float32"])
    assert torch.equal(torch.as_tensor(again[0]), torch.as_tensor(example_inputs(["5x7:float32"])[0][0]))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "has no example inputs: give one for each, such as --input"),
        (["--input", "2x3"], "'2x3' must look like 1x3x224x224:float32"),
        (["--input", "2,3:float32"], "must look like"),
        (["--input", "2x3:float"], "'float' is none of float64, float32"),
        (["--input", "x=1", "--input", "x=1"], "x is given twice"),
        (["--input", "x=1", "--input", "1"], "'1' has no name and stands behind one that has"),
    ],
)
def test_inputs_that_are_not_understood(archive: Path, options: list[str], message: str) -> None:
    result = run(archive, *options)
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())
    assert not archive.with_suffix(".onnx").exists()


def test_inputs_that_the_archive_does_not_take(archive: Path) -> None:
    result = run(archive, "--input", "2x3:float32")
    assert result.exit_code == 1
    assert "rate" in result.output
    assert not archive.with_suffix(".onnx").exists()


@pytest.mark.parametrize("source", ["model.py:build", "program.pt2"])
def test_others_bring_their_inputs(tmp_path: Path, source: str) -> None:
    result = CliRunner().invoke(
        main, ["export", str(tmp_path / source), "out.onnx", "--input", "2x3:float32"]
    )
    assert result.exit_code == 2
    assert "it is for archives of torch.jit.save" in " ".join(result.output.split())


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-400])


def text(path: Path) -> None:
    path.write_text("no archive")


def other_code(path: Path) -> None:
    with zipfile.ZipFile(path) as source:
        contents = {name: source.read(name) for name in source.namelist()}
    with zipfile.ZipFile(path, "w") as target:
        for name, content in contents.items():
            target.writestr(name, b"class Scaled(" if name.endswith(".py") else content)


def newer(path: Path) -> None:
    with zipfile.ZipFile(path) as source:
        contents = {name: source.read(name) for name in source.namelist()}
    with zipfile.ZipFile(path, "w") as target:
        for name, content in contents.items():
            target.writestr(name, b"999\n" if name.endswith("/version") else content)


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (cut, "the end of it is missing"),
        (text, "it is no archive"),
        (other_code, "it is damaged, or of another version of torch"),
        (newer, "it is damaged, or of another version of torch"),
        (lambda path: torch.save({"weight": torch.ones(1)}, path), "such as a state_dict"),
    ],
)
def test_damaged_archives_are_told(archive: Path, spoil: Callable[[Path], object], reason: str) -> None:
    spoil(archive)
    result = run(archive, "--input", "2x3:float32", "--input", "16000")
    assert result.exit_code == 1
    assert f"EXP025 unreadable-program: {archive}" in result.output
    assert reason in result.output
    assert not isinstance(result.exception, AssertionError)
    assert not archive.with_suffix(".onnx").exists()


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    result = run(tmp_path / "nothing.pt", "--input", "2x3:float32")
    assert result.exit_code == 2
    assert "nothing.pt' is no file" in result.output
