"""The examples of the README, run as they stand there, on a table of their own."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def blocks(language: str) -> list[str]:
    text = README.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_examples_do_what_the_readme_says() -> None:
    """In a process without torch, so that the function they register stays there."""
    working, registering, refusing = blocks("python")
    (expected,) = blocks("text")
    ending = (
        "y = SYMBOLICS.emit(g, 'mine::double', x)\n"
        "assert [node.op_type for node in graph][-1] == 'Add'\n"
        "from onnx_ir_capture.contracts import Unsupported\n"
        f"try:\n    {refusing.strip()}\n"
        "except Unsupported as refusal:\n    assert refusal.reason.endswith(\"rounding mode 'up'\")\n"
        "else:\n    raise AssertionError('the call was not refused')\n"
    )
    code = f"import sys\nsys.modules['torch'] = None\n{working}\n{registering}\n{ending}"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout == expected
