"""The examples of the README, run as they stand there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import onnx_jitpasses

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def test_examples_print_what_the_readme_says(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {"__name__": "readme"}
    for block in _blocks("python"):
        exec(compile(block, "README.md", "exec"), names)
    assert capsys.readouterr().out == "".join(_blocks("text"))


def test_every_pass_is_in_the_table() -> None:
    listed = re.findall(r"^\| `(\w+)` \|", README, re.MULTILINE)
    exported = {name for name in onnx_jitpasses.__all__ if name[0].isupper()}
    assert set(listed) == exported - {"DialectPass", "Guarantee"}
