"""The package is light: the standard library only, and little of that before a log is written."""

from __future__ import annotations

import subprocess
import sys

import onnx_diagnostics

HEAVY = "hashlib json pathlib tempfile urllib urllib.parse"


def _loaded_after(statement: str) -> set[str]:
    code = f"import sys; before = set(sys.modules); {statement}; print(*(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_loads_nothing_that_only_logs_need() -> None:
    loaded = _loaded_after("import onnx_diagnostics")
    assert "onnx_diagnostics._context" in loaded
    assert "onnx_diagnostics._sarif" not in loaded
    assert not loaded & set(HEAVY.split())


def test_writer_needs_the_standard_library_only() -> None:
    loaded = _loaded_after("from onnx_diagnostics import *; write_sarif")
    assert "onnx_diagnostics._sarif" in loaded
    foreign = (
        {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names - {"onnx_diagnostics", "org"}
    )
    assert foreign == set()


def test_every_public_name_exists_and_is_documented() -> None:
    for name in onnx_diagnostics.__all__:
        assert getattr(onnx_diagnostics, name) is not None
    assert sorted(onnx_diagnostics.__all__) == sorted(set(onnx_diagnostics.__all__))


def test_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(onnx_diagnostics, "no_such_name")
