from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).parent.parent / "tools" / "where.py"


def where(op: str) -> tuple[int, str]:
    run = subprocess.run([sys.executable, str(TOOL), op], capture_output=True, text=True, check=False)
    return run.returncode, run.stdout


def test_files_of_an_operator() -> None:
    code, shown = where("aten::gelu")
    assert code == 0
    for place in (
        "translator packages/onnx-torchlib/src/onnx_torchlib/ops/activation.py:",
        "symbolic   packages/onnx-symbolics/src/onnx_symbolics/ops/activation.py:",
        "case       tests/opcases/activation.py:",
    ):
        assert place in shown


def test_overloads_are_told_apart() -> None:
    every, one = (set(where(op)[1].splitlines()[1:]) for op in ("add", "aten::add.Tensor"))
    assert one
    assert one < every


def test_an_operator_that_is_nowhere() -> None:
    code, shown = where("aten::no_such_operator")
    assert code == 1
    assert "nowhere" in shown
