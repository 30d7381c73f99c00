from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

import pytest

PACKAGES = [
    "onnx_diagnostics",
    "onnx_ir_capture",
    "onnx_jitpasses",
    "onnx_symbolics",
    "onnx_torchlib",
    "onnx_export",
]


@pytest.mark.parametrize("package", PACKAGES)
def test_package_imports_and_is_typed(package: str) -> None:
    module = importlib.import_module(package)
    assert module.__file__ is not None
    assert Path(module.__file__).with_name("py.typed").is_file()


@pytest.mark.skipif(
    "ONNX_EXPORT_TEST_WHEELS" not in os.environ,
    reason="set by tools/check_wheels.py, which tests installed wheels",
)
@pytest.mark.parametrize("package", PACKAGES)
def test_package_is_the_installed_wheel_and_not_the_source_tree(package: str) -> None:
    module = importlib.import_module(package)
    assert module.__file__ is not None
    assert Path(module.__file__).is_relative_to(sys.prefix)
