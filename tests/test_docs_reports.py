"""The blocks and commands of docs/reports.md do what the page says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from onnx_export.cli import main

PAGE = Path(__file__).parent.parent / "docs" / "reports.md"
FACTORY = """
import torch

def build():
    return torch.nn.Linear(3, 4).eval(), (torch.randn(2, 3),)
"""


def blocks(language: str) -> list[str]:
    text = PAGE.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_python_blocks_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = blocks("python")
    assert len(found) == 2
    names: dict[str, object] = {}
    for block in found:
        exec(compile(block, str(PAGE), "exec"), names)
    (stem,) = {path.name.partition(".")[0] for path in Path("reports").iterdir()}
    table = re.findall(r"^\| `onnx_export_DATE_TIME(.*?)`", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert {path.name.removeprefix(stem) for path in Path("reports").iterdir()} == set(table)


def test_every_section_is_on_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(blocks("python")[0], str(PAGE), "exec"), {})
    (markdown,) = Path("reports").glob("*.md")
    sections = re.findall(r"^## (.*)$", markdown.read_text(encoding="utf-8"), re.MULTILINE)
    assert sections
    named = re.findall(r"^\| ([A-Z][^|]*?) \| ", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(sections) <= set(", ".join(named).replace("notes", "Notes").split(", "))


def test_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my_model.py").write_text(FACTORY, encoding="utf-8")
    (commands,) = blocks("sh")
    for command in commands.splitlines():
        result = CliRunner().invoke(main, shlex.split(command)[1:], catch_exceptions=False)
        assert result.exit_code == 0, result.output
    assert len(list(Path("reports").iterdir())) == 3
    assert Path("model.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert Path("model.md").read_text(encoding="utf-8").startswith("# ✅ Exported and verified: Linear\n")
