"""Forty operators without a translation, in modules of modules, are told at once, and on both routes."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch

import onnx_export
from onnx_diagnostics import UnsupportedOperatorError, read_sarif

COUNT, BLOCKS = 40, 4
LIBRARY = "manyfailures"
HERE = str(Path(__file__))


def operator(number: int) -> Callable[[torch.Tensor], torch.Tensor]:
    found: Callable[[torch.Tensor], torch.Tensor] = getattr(getattr(torch.ops, LIBRARY), f"op{number}")
    return found


@pytest.fixture(scope="module", autouse=True)
def operators() -> Iterator[None]:
    library = torch.library.Library(LIBRARY, "DEF")
    for number in range(COUNT):
        name = f"op{number}"
        library.define(f"{name}(Tensor x) -> Tensor")
        library.impl(name, torch.clone, "CompositeExplicitAutograd")
        torch.library.register_fake(f"{LIBRARY}::{name}", torch.empty_like, lib=library)
    yield
    library._destroy()


class Leaf(torch.nn.Module):
    def __init__(self, first: int) -> None:
        super().__init__()
        self.first = first

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for number in range(self.first, self.first + COUNT // BLOCKS - 1):
            x = operator(number)(x)  # in a leaf
        return x


class Block(torch.nn.Module):
    def __init__(self, number: int) -> None:
        super().__init__()
        self.last = (number + 1) * COUNT // BLOCKS - 1
        self.leaf = Leaf(number * COUNT // BLOCKS)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return (
            operator(self.last)(self.leaf(x))  # in a block
            + operator(0)(x + 1)  # the same in each block
        )


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.blocks = torch.nn.ModuleList(Block(number) for number in range(BLOCKS))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for block in self.blocks:
            x = block(x)
        return x


def line_of(kind: type[torch.nn.Module], text: str) -> int:
    lines, start = inspect.getsourcelines(kind)
    return start + next(number for number, line in enumerate(lines) if line.endswith(f"# {text}\n"))


Place = tuple[str, str, str, int]


def wanted() -> set[Place]:
    """Operator, module path, file and line of each call."""
    leaf, block, shared = (
        line_of(Leaf, "in a leaf"),
        line_of(Block, "in a block"),
        line_of(Block, "the same in each block"),
    )
    places: set[Place] = set()
    for number in range(COUNT):
        module, index = divmod(number, COUNT // BLOCKS)
        is_last = index == COUNT // BLOCKS - 1
        path = f"blocks.{module}" if is_last else f"blocks.{module}.leaf"
        places.add((f"{LIBRARY}::op{number}", path, HERE, block if is_last else leaf))
    return places | {(f"{LIBRARY}::op0", f"blocks.{number}", HERE, shared) for number in range(BLOCKS)}


@pytest.fixture(scope="module", params=[True, False], ids=["torch.export", "torch.jit.trace"])
def error(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> UnsupportedOperatorError:
    with pytest.raises(UnsupportedOperatorError) as caught:
        onnx_export.export(
            Model(),
            (torch.randn(2, 3),),
            dynamo=request.param,
            report=True,
            artifacts_dir=tmp_path_factory.mktemp("log"),
            verbose=False,
        )
    return caught.value


def test_the_diagnostics_have_every_call(error: UnsupportedOperatorError) -> None:
    found = {
        (place.op, place.module, place.file, place.line)
        for diagnostic in error.diagnostics
        if (place := diagnostic.location) is not None
    }
    assert found == wanted()
    assert len(error.diagnostics) == len(wanted())


def test_the_text_has_every_call_under_its_operator_and_stays_short(error: UnsupportedOperatorError) -> None:
    text = str(error)
    assert text.startswith(f"no translation to opset 20 for {COUNT + BLOCKS} calls of {COUNT} operators\n")
    found: set[Place] = set()
    operators: list[str] = []
    for line in text.splitlines():
        if line.startswith("error LOW001"):
            operators.append(line.partition(": ")[2].partition(" ")[0])
        place = line.split()
        if line.startswith("    ") and operators and place[-1] == operators[-1]:
            file, _, number = place[0].rpartition(":")
            found.add((operators[-1], place[1], str(Path(file).absolute()), int(number)))
    assert found == wanted()
    assert len(operators) == len(set(operators)) == COUNT
    assert len(text.splitlines()) < 2.5 * COUNT


def test_the_log_has_every_call(error: UnsupportedOperatorError) -> None:
    assert error.log_path is not None
    assert f"The complete log: {error.log_path}" in str(error)
    (run,) = read_sarif(error.log_path)
    found = {
        (place.op, place.module, str(Path(place.file or "").absolute()), place.line)
        for diagnostic in run.diagnostics
        if diagnostic.rule.code == "LOW001" and (place := diagnostic.location) is not None
    }
    assert found == wanted()
    (log,) = json.loads(Path(error.log_path).read_text(encoding="utf-8"))["runs"]
    snippets = {
        result["locations"][0]["physicalLocation"]["region"]["snippet"]["text"].strip()
        for result in log["results"]
        if result["ruleId"] == "LOW001"
    }
    assert snippets == {
        "x = operator(number)(x)  # in a leaf",
        "operator(self.last)(self.leaf(x))  # in a block",
        "+ operator(0)(x + 1)  # the same in each block",
    }
