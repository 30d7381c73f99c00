from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PREPARE = "python3 -m venv .venv && .venv/bin/pip install hatch && .venv/bin/hatch run"


@pytest.mark.parametrize("script", ["demo", "test"])
def test_readme_shows_the_command_on_a_line_of_its_own(script: str) -> None:
    assert f"{PREPARE} {script}" in (ROOT / "README.md").read_text(encoding="utf-8").splitlines()


def test_ci_runs_the_readme_s_test_command() -> None:
    lines = [line.strip() for line in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()]
    assert f"{PREPARE} test" in lines
