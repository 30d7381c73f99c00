"""The blocks of docs/custom-symbolics.md run, one after the other."""

from __future__ import annotations

import re
from pathlib import Path

import onnx_export

PAGE = Path(__file__).parent.parent / "docs" / "custom-symbolics.md"


def test_python_blocks_run() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) == 3
    names: dict[str, object] = {}
    try:
        for block in blocks:
            exec(compile(block, str(PAGE), "exec"), names)
    finally:
        onnx_export.unregister_custom_op_symbolic("mykernels::shrink", 9)
