"""The commands of docs/command-line.md do what the page says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner, Result

from onnx_export.cli import main

PAGE = Path(__file__).parent.parent / "docs" / "command-line.md"
FACTORY = """
import torch

def build():
    torch.manual_seed(0)
    return torch.nn.Linear(3, 4), (torch.randn(2, 3),)
"""


def commands() -> list[str]:
    blocks = re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def run(command: str) -> Result:
    return CliRunner().invoke(main, shlex.split(command)[1:], catch_exceptions=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("command-line")
    (folder / "my_model.py").write_text(FACTORY, encoding="utf-8")
    program = torch.export.export(torch.nn.Linear(3, 4), (torch.randn(2, 3),))
    torch.export.save(program, folder / "my_model.pt2")
    torch.jit.save(torch.jit.script(torch.nn.Conv2d(3, 2, 5)), folder / "my_model.pt")
    return folder


def test_there_are_commands() -> None:
    assert {shlex.split(command)[1] for command in commands()} == set(main.commands)


@pytest.mark.parametrize("command", commands())
def test_each_command_runs(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    if "verify" in command or "report" in command:
        run("onnx-export export my_model.py:build model.onnx --sarif model.sarif --dynamic input:0=batch")
    result = run(command)
    assert result.exit_code == 0, result.output
    if command.startswith("onnx-export verify"):
        assert shown(result.stdout) == shown(example())


def example() -> str:
    """What the page shows of a comparison."""
    (text,) = re.findall(
        r"^```text\n(output.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    return str(text)


def shown(text: str) -> tuple[list[list[str]], str]:
    """The table but for the differences, and the line behind it."""
    *table, verdict = text.splitlines()
    rows = [re.split(r"\s{2,}", line) for line in table]
    return [[*row[:2], row[3]] for row in rows], verdict
