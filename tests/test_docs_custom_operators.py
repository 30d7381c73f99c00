"""The blocks of docs/custom-operators.md run, one after the other."""

from __future__ import annotations

import re
import sys
import types
from pathlib import Path

import pytest

PAGE = Path(__file__).parent.parent / "docs" / "custom-operators.md"


def test_python_blocks_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) == 5
    # onnxscript compiles from the source file, so the page becomes one.
    (tmp_path / "page_of_custom_operators.py").write_text("\n".join(blocks), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    try:
        page = __import__("page_of_custom_operators")
        assert isinstance(page, types.ModuleType)
    finally:
        sys.modules.pop("page_of_custom_operators", None)
