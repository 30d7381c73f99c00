from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parent.parent / "tools" / "ratchet.py"
CLEAN = "value: int = 1\n"
LOOSE = """
import typing as t
from typing import Any as Anything, cast

def f(x: Anything, y: "list[t.Any]") -> "Anything":  # type: ignore[misc]  # why
    return cast(int, x)  # noqa: ANN401

text = "Any # type: ignore, # noqa"
"""


def ratchet(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(root / "tools" / "ratchet.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "ratchet.py").write_text(TOOL.read_text(encoding="utf-8"), encoding="utf-8")
    source = tmp_path / "packages" / "some-package" / "src" / "some_package"
    source.mkdir(parents=True)
    (source / "loose.py").write_text(LOOSE, encoding="utf-8")
    assert ratchet(tmp_path, "--update", "--allow-rise").returncode == 0
    return tmp_path


def test_counts_aliases_and_quoted_annotations_but_no_prose(workspace: Path) -> None:
    run = ratchet(workspace)
    assert run.returncode == 0
    assert run.stdout == "some-package: Any 3, cast 1, type: ignore 1, noqa 1\n"


def test_a_rise_fails_names_the_file_and_is_not_recorded_by_update(workspace: Path) -> None:
    (workspace / "packages/some-package/src/some_package/new.py").write_text("x = 1  # noqa: E741\n")
    for run in (ratchet(workspace), ratchet(workspace, "--update"), ratchet(workspace)):
        assert run.returncode == 1
        assert "some-package: noqa: 1 -> 2" in run.stdout
        assert "packages/some-package/src/some_package/new.py: 0 -> 1" in run.stdout


def test_a_fall_passes_says_how_to_record_it_and_then_holds(workspace: Path) -> None:
    loose = workspace / "packages/some-package/src/some_package/loose.py"
    loose.write_text(CLEAN)
    run = ratchet(workspace)
    assert run.returncode == 0
    assert "hatch run ratchet --update" in run.stdout
    assert ratchet(workspace, "--update").returncode == 0
    loose.write_text(LOOSE)
    assert ratchet(workspace).returncode == 1
