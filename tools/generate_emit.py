"""Writes the generated files of `onnx_ir_capture.emit`; with --check, only says whether they are current.

    python tools/generate_emit.py [--check]

Needs onnx and onnxruntime: what they say goes into the files. Run it after an upgrade of either and review
the difference like code: a changed line is an operator whose form functions may need a look.
"""

from __future__ import annotations

import argparse
import difflib
import json
import sys
from pathlib import Path

import _emit_schemas
import _emit_stub
import onnx
import onnxruntime

EMIT = Path(__file__).resolve().parents[1] / "packages/onnx-ir-capture/src/onnx_ir_capture/emit"
SCHEMAS = EMIT / "_schemas.json"
KERNELS = EMIT / "_ort_kernels.json"
STUB = EMIT / "_operators.pyi"
SHOWN_LINES = 40
"""Changed lines that --check prints per file before it only counts them."""


def recorded_ort_version() -> str | None:
    """The ONNX Runtime version in the committed kernel table; None when there is no table."""
    if not KERNELS.exists():
        return None
    return str(json.loads(KERNELS.read_text(encoding="utf-8"))["onnxruntime"])


def generated() -> dict[Path, str]:
    """The text of every generated file."""
    return {
        SCHEMAS: _emit_schemas.schema_table(),
        KERNELS: _emit_schemas.kernel_table(),
        STUB: _emit_stub.stub(),
    }


def difference(path: Path, current: str) -> list[str]:
    """The lines that differ between the committed file and its current text, as a diff without context."""
    committed = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    lines = difflib.unified_diff(committed, current.splitlines(), "committed", "current", n=0, lineterm="")
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


def check() -> int:
    """Compares every file with what is committed; the exit status."""
    files = generated()
    recorded = recorded_ort_version()
    if recorded not in (None, onnxruntime.__version__):
        del files[KERNELS]
        print(
            f"{KERNELS.name}: not compared: it records onnxruntime {recorded}, "
            f"{onnxruntime.__version__} is installed"
        )
    stale = [path for path, text in files.items() if not _report(path, difference(path, text))]
    if stale:
        print(f"onnx {onnx.__version__} is installed; run tools/generate_emit.py and review the changes")
    return 1 if stale else 0


def _report(path: Path, changed: list[str]) -> bool:
    if not changed:
        print(f"{path.name}: current")
        return True
    print(f"{path.name}: stale, {len(changed)} lines differ")
    print(*(line[:160] for line in changed[:SHOWN_LINES]), sep="\n")
    if len(changed) > SHOWN_LINES:
        print(f"... and {len(changed) - SHOWN_LINES} more")
    return False


def main(arguments: list[str] | None = None) -> int:
    """Writes or checks the files; the exit status."""
    parser = argparse.ArgumentParser(description="Write the generated files of onnx_ir_capture.emit.")
    parser.add_argument("--check", action="store_true", help="compare with the committed files only")
    if parser.parse_args(arguments).check:
        return check()
    for path, text in generated().items():
        changed = len(difference(path, text))
        path.write_text(text, encoding="utf-8")
        print(f"{path.name}: {'unchanged' if not changed else f'{changed} lines changed'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
