"""What is given as a model: files, wrappers, modules without shapes, programs."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import click.testing
import pytest
import torch

import onnx_export
from onnx_diagnostics import ConversionError, OnnxExporterError
from onnx_export.cli import main

X = torch.randn(2, 3)


def linear() -> torch.nn.Linear:
    return torch.nn.Linear(3, 5).eval()


def saved(path: Path) -> torch.nn.Linear:
    model = linear()
    shapes = {"input": {0: torch.export.Dim("batch")}}
    torch.export.save(torch.export.export(model, (X,), dynamic_shapes=shapes), path)
    return model


def test_a_saved_program_is_exported(tmp_path: Path) -> None:
    model = saved(tmp_path / "model.pt2")
    for path in (tmp_path / "model.pt2", str(tmp_path / "model.pt2")):
        program = onnx_export.export(path, f=tmp_path / "model.onnx", verify=True, verbose=False)
        torch.testing.assert_close(program(torch.ones(7, 3))[0], model(torch.ones(7, 3)).detach())
    assert (tmp_path / "model.onnx").exists()


def test_a_saved_program_on_the_command_line(tmp_path: Path) -> None:
    saved(tmp_path / "model.pt2")
    source, output = str(tmp_path / "model.pt2"), tmp_path / "model.onnx"
    run = click.testing.CliRunner().invoke(main, ["export", source, str(output), "--verify", "--quiet"])
    assert run.exit_code == 0, run.output
    assert output.exists()
    run = click.testing.CliRunner().invoke(main, ["export", source, str(output), "--dynamic", "x:0=n"])
    assert run.exit_code == 2
    assert "were decided when it was made" in run.output
    run = click.testing.CliRunner().invoke(main, ["export", str(tmp_path / "no.pt2"), str(output)])
    assert run.exit_code == 1
    assert "there is no such file" in run.output


def text(path: Path) -> None:
    path.write_text("hello", encoding="utf-8")


def empty(path: Path) -> None:
    path.touch()


def cut(path: Path) -> None:
    saved(path)
    path.write_bytes(path.read_bytes()[:-1000])


def without_weights(path: Path) -> None:
    whole = path.with_name("whole.pt2")
    saved(whole)
    with zipfile.ZipFile(whole) as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            if "weights" not in name:
                target.writestr(name, source.read(name))


def other_bytes(path: Path) -> None:
    whole = path.with_name("whole.pt2")
    saved(whole)
    with zipfile.ZipFile(whole) as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            target.writestr(name, b'{"a": 1}' if name.endswith("model.json") else source.read(name))


def other_archive(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as target:
        target.writestr("document/text.xml", "hello")


@pytest.mark.parametrize(
    ("write", "reason"),
    [
        (lambda path: None, "there is no such file"),
        (lambda path: path.mkdir(), "it is no file"),
        (empty, "it is empty"),
        (text, "it is no archive"),
        (cut, "the end of it is missing"),
        (other_archive, "it is an archive of something else"),
        (lambda path: torch.save(linear().state_dict(), path), "such as a state_dict"),
        (without_weights, "it is damaged, or of another version of torch"),
        (other_bytes, "it is damaged, or of another version of torch"),
    ],
)
def test_other_files_are_refused(write: Callable[[Path], object], reason: str, tmp_path: Path) -> None:
    path = tmp_path / "model.pt2"
    write(path)
    with pytest.raises(OnnxExporterError, match=reason) as caught:
        onnx_export.export(path, (X,), tmp_path / "model.onnx")
    assert [found.rule.code for found in caught.value.diagnostics] == ["EXP025"]
    assert not (tmp_path / "model.onnx").exists()


def compiled(model: torch.nn.Module) -> torch.nn.Module:
    result: object = torch.compile(model)
    assert isinstance(result, torch.nn.Module)
    return result


@pytest.mark.parametrize(
    "wrap",
    [
        torch.compile,
        torch.nn.DataParallel,
        lambda model: torch.compile(torch.nn.DataParallel(model)),
        lambda model: torch.nn.DataParallel(compiled(model)),
    ],
)
def test_wrappers_are_seen_through(wrap: Callable[[torch.nn.Module], torch.nn.Module]) -> None:
    model = linear()
    program = onnx_export.export(wrap(model), (X,), dynamic_shapes={"input": {0: "n"}}, verbose=False)
    assert set(program.model.graph.initializers) == {"weight", "bias"}
    assert [value.name for value in program.model.graph.inputs] == ["input"]
    torch.testing.assert_close(program(X)[0], model(X).detach())


def test_a_compiled_function_and_a_compiled_submodule() -> None:
    @torch.compile
    def double(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    assert torch.equal(onnx_export.export(double, (X,), verbose=False)(x=X)[0], X * 2)

    class Outer(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = torch.compile(linear())

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            y: torch.Tensor = self.inner(x) + 1
            return y

    model = Outer().eval()
    onnx_export.export(model, (X,), verify=True, verbose=False)


@pytest.mark.parametrize(
    "parametrize",
    [
        torch.nn.utils.parametrizations.weight_norm,
        torch.nn.utils.parametrizations.spectral_norm,
        torch.nn.utils.spectral_norm,
    ],
)
def test_weights_that_are_computed(parametrize: Callable[[torch.nn.Module], torch.nn.Module]) -> None:
    # Some random weights have a spectral norm near 0, by which a rounding grows beyond any tolerance.
    torch.manual_seed(0)
    model = parametrize(linear()).eval()
    program = onnx_export.export(model, (X,), verify=True, verbose=False)
    other = parametrize(linear()).eval()
    program.apply_weights(other.state_dict())
    torch.testing.assert_close(program(X)[0], other(X).detach())


def test_weights_without_shapes_are_named() -> None:
    model = torch.nn.Sequential(torch.nn.LazyLinear(4), torch.nn.LazyBatchNorm1d()).eval()
    with pytest.raises(OnnxExporterError, match="call the model once on the example inputs") as caught:
        onnx_export.export(model, (X,))
    assert "0.weight, 0.bias, 1.weight, 1.bias, 1.running_mean, 1.running_var" in str(caught.value)
    model(X)
    onnx_export.export(model, (X,), verify=True, verbose=False)


def test_a_program_is_no_model() -> None:
    program = onnx_export.export(linear(), (X,), verbose=False)
    with pytest.raises(TypeError, match=r"an ONNXProgram, which is exported already: use its save\(\)"):
        onnx_export.export(program, (X,))
    with pytest.raises(TypeError, match="is exported already"):
        onnx_export.Exporter().export(program, (X,))


def test_models_that_return_nothing_are_refused() -> None:
    class Returns(torch.nn.Module):
        def __init__(self, *values: object) -> None:
            super().__init__()
            self.values = values

        def forward(self, x: torch.Tensor) -> object:
            return self.values[0] if len(self.values) == 1 else self.values

    for model, told in ((Returns(None), "None"), (Returns(), "no tensor"), (Returns(None, "a"), "None, 'a'")):
        with pytest.raises(ConversionError, match=f"the model returns {told}, so its file"):
            onnx_export.export(model.eval(), (X,))
    onnx_export.export(Returns(None, 3).eval(), (X,), verify=True, verbose=False)


def test_padding_masks_are_verified_without_the_fast_path() -> None:
    class Encoder(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            layer = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
            self.encoder = torch.nn.TransformerEncoder(layer, 2)

        def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
            y: torch.Tensor = self.encoder(x, src_key_padding_mask=mask)
            return y

    mask = torch.tensor([[False] * 5, [False] * 3 + [True] * 2])
    before = torch.backends.mha.get_fastpath_enabled()
    onnx_export.export(Encoder().eval(), (torch.randn(2, 5, 8), mask), verify=True, verbose=False)
    assert torch.backends.mha.get_fastpath_enabled() == before


def test_complex_numbers_without_a_form_are_refused_with_their_places() -> None:
    class Turned(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.by = torch.nn.Parameter(torch.ones(3, dtype=torch.complex64))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            z = x * self.by
            return torch.view_as_real(z.cumprod(0).tanh())

    with pytest.raises(ConversionError, match="2 operations compute with complex numbers") as caught:
        onnx_export.export(Turned().eval(), (X,))
    assert [found.rule.code for found in caught.value.diagnostics] == ["JIT005", "JIT005"]
    place = caught.value.diagnostics[0].location
    assert place is not None
    assert (place.op, place.file) == ("aten::cumprod", __file__)
