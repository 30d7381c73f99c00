"""The Python blocks and the command line of the READMEs do what they say."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from onnx_export.cli import main

ROOT = Path(__file__).parent.parent
PAGES = ["README.md", "packages/onnx-export/README.md"]
FACTORY = """
import torch

def build():
    return torch.nn.Linear(3, 4), (torch.randn(2, 3),)
"""


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_python_blocks_of_a_page_run_one_after_the_other(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    found = blocks(page, "python")
    assert found
    for block in found:
        exec(compile(block, page, "exec"), names)
    assert (tmp_path / "model.onnx").is_file()


def test_command_line_of_the_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_model.py").write_text(FACTORY, encoding="utf-8")
    (command,) = [
        line for block in blocks("README.md", "sh") for line in block.splitlines() if "onnx-export" in line
    ]
    result = CliRunner().invoke(main, shlex.split(command)[1:], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert (tmp_path / "model.onnx").is_file()
    assert (tmp_path / "model.sarif").is_file()
