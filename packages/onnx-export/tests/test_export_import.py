"""The package itself loads nothing heavy; its names do."""

from __future__ import annotations

import subprocess
import sys

import pytest

import onnx_export

_HEAVY = ("torch", "onnx", "onnx_ir", "onnxscript", "onnxruntime", "numpy", "rich")


def test_every_public_name_is_there() -> None:
    missing = [name for name in onnx_export.__all__ if not hasattr(onnx_export, name)]
    assert not missing
    assert set(onnx_export.__all__) <= set(dir(onnx_export))


def test_a_name_is_the_same_object_each_time() -> None:
    assert all(getattr(onnx_export, name) is getattr(onnx_export, name) for name in onnx_export.__all__)


def test_a_wrong_name_is_told_as_of_any_module() -> None:
    with pytest.raises(AttributeError, match="module 'onnx_export' has no attribute 'exprot'"):
        getattr(onnx_export, "".join(["ex", "prot"]))


def test_the_import_alone_loads_nothing_heavy() -> None:
    code = f"import sys, onnx_export; print([name for name in {_HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_capture_s_modules_leave_torch_s_compiler_to_the_first_capture() -> None:
    code = "import sys, onnx_ir_capture.fx; print('torch._dynamo' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
