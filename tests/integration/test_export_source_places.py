"""A finding stands at the right file and line of the model, wherever its code is."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import json
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import torch

import onnx_export
from onnx_diagnostics import DiagnosticContext, UnsupportedOperatorError, sarif_text

LAYER = """import torch


class Special(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x + 1
        return torch.ops.placed.op_j0(y)
"""

MODEL = """import torch
import placed_layers


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = placed_layers.Special()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.ops.placed.op_j1(
            x * 2,
        )
        return self.layer(x)
"""


class Place(NamedTuple):
    uri: str
    line: int
    text: str


@pytest.fixture(scope="module", autouse=True)
def operators() -> Iterator[None]:
    """Operators that nothing translates."""
    library = torch.library.Library("placed", "DEF")
    for name in ("op_j0", "op_j1", "op_y0", "op_y1"):
        library.define(f"{name}(Tensor x) -> Tensor")
        library.impl(name, torch.clone, "CompositeExplicitAutograd")
        torch.library.register_fake(f"placed::{name}", torch.empty_like, lib=library)
    yield
    library._destroy()


IN_MODEL = Place("model/placed_model.py", 11, "x = torch.ops.placed.op_j1(")
IN_PACKAGE = Place("venv/site-packages/placed_layers/__init__.py", 7, "return torch.ops.placed.op_j0(y)")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for path, text in ((IN_MODEL.uri, MODEL), (IN_PACKAGE.uri, LAYER)):
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path / "venv" / "site-packages")
    monkeypatch.syspath_prepend(tmp_path / "model")
    yield tmp_path
    for name in ("placed_model", "placed_layers"):
        sys.modules.pop(name, None)


def model_of_files() -> torch.nn.Module:
    model: object = importlib.import_module("placed_model").Model()
    assert isinstance(model, torch.nn.Module)
    return model.eval()


def places(model: object, base: Path, **options: object) -> list[Place]:
    """Where the log has the calls without a translation; inside of ``base``, with the base's name."""
    export: Callable[..., object] = onnx_export.export
    context = DiagnosticContext("test", "1")
    with contextlib.suppress(UnsupportedOperatorError):
        export(model, (torch.ones(2),), verbose=False, diagnostics=context, **options)
    (run,) = json.loads(sarif_text(context.run(base=base)))["runs"]
    assert run["originalUriBaseIds"] == {"SRCROOT": {"uri": f"{base.as_uri()}/"}}
    found = []
    for result in run["results"]:
        if result["ruleId"] == "LOW001":
            (location,) = result["locations"]
            place = location["physicalLocation"]
            assert place["artifactLocation"]["uriBaseId"] == "SRCROOT"
            region = place["region"]
            text = region["snippet"]["text"].strip()
            found.append(Place(place["artifactLocation"]["uri"], region["startLine"], text))
    return found


@pytest.mark.parametrize("dynamo", [True, False])
def test_code_of_modules_and_of_installed_packages(folder: Path, dynamo: bool) -> None:
    assert places(model_of_files(), folder, dynamo=dynamo) == [IN_MODEL, IN_PACKAGE]


def test_scripted_and_traced_code(folder: Path) -> None:
    model = model_of_files()
    assert places(torch.jit.script(model), folder) == [IN_MODEL, IN_PACKAGE]
    assert places(torch.jit.trace(model, (torch.ones(2),)), folder) == [IN_MODEL, IN_PACKAGE]


@pytest.mark.parametrize("dynamo", [True, False])
def test_lambdas_and_functions(dynamo: bool) -> None:
    def call(x: torch.Tensor) -> object:
        functions: tuple[Callable[[torch.Tensor], torch.Tensor], ...] = (
            lambda y: torch.ops.placed.op_y0(y + 1),  # in a lambda
        )
        return functions[0](x) + torch.ops.placed.op_y1(x)  # in a function

    here = Path(__file__)
    found = places(call, here.parent, dynamo=dynamo)
    lines, start = inspect.getsourcelines(call)
    wanted = [
        Place(here.name, start + number, line.strip())
        for number, line in enumerate(lines)
        if "# in a" in line
    ]
    assert found == wanted


def test_what_calls_the_model_is_not_named() -> None:
    context = DiagnosticContext("test", "1")
    with pytest.raises(UnsupportedOperatorError):
        onnx_export.export(
            lambda x: torch.ops.placed.op_y0(x),
            (torch.ones(2),),
            dynamo=False,
            verbose=False,
            diagnostics=context,
        )
    (error,) = context.errors
    assert not error.related


def saved(model: torch.nn.Module, path: Path, traced: bool) -> Path:
    made = torch.jit.trace(model, (torch.ones(2),)) if traced else torch.jit.script(model)
    torch.jit.save(made, path)
    return path


def archived(path: Path, base: Path) -> list[Place]:
    """The calls in the code that an archive holds."""
    found = {}
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if not name.endswith(".py"):
                continue
            for number, line in enumerate(archive.read(name).decode().splitlines(), start=1):
                if "ops.placed.op_" in line:
                    uri = f"{path.relative_to(base).as_posix()}/{name.partition('/')[2]}"
                    found[line.partition("placed.op_")[2][:2]] = Place(uri, number, line.strip())
    return [found["j1"], found["j0"]]


@pytest.mark.parametrize("traced", [True, False], ids=["traced", "scripted"])
def test_code_of_an_archive_whose_sources_are_here(folder: Path, traced: bool) -> None:
    path = saved(model_of_files(), folder / "model.pt", traced)
    assert places(path, folder) == [IN_MODEL, IN_PACKAGE]
    context = DiagnosticContext("test", "1")
    with pytest.raises(UnsupportedOperatorError):
        onnx_export.export(path, (torch.ones(2),), verbose=False, diagnostics=context)
    in_archive = [
        (related.file, related.line)
        for finding in context.errors
        for related in finding.related
        if related.message == "in the archive"
    ]
    assert in_archive == [(str(folder / place.uri), place.line) for place in archived(path, folder)]


@pytest.mark.parametrize("traced", [True, False], ids=["traced", "scripted"])
def test_code_of_an_archive_whose_sources_are_gone(folder: Path, traced: bool) -> None:
    path = saved(model_of_files(), folder / "model.pt", traced)
    for place in (IN_MODEL, IN_PACKAGE):
        (folder / place.uri).unlink()
    assert places(path, folder) == archived(path, folder)


def test_code_of_an_archive_that_names_no_sources(folder: Path) -> None:
    path = saved(model_of_files(), folder / "whole.pt", traced=False)
    bare = folder / "bare.pt"
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(bare, "w") as target:
        for name in source.namelist():
            if not name.endswith(".debug_pkl"):
                target.writestr(name.replace("whole/", "bare/", 1), source.read(name))
    assert places(bare, folder) == archived(bare, folder)
    assert [place.uri.startswith("bare.pt/code/__torch__/placed_") for place in places(bare, folder)] == [
        True,
        True,
    ]
