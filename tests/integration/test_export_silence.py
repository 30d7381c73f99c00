"""``verbose=False`` is silent, and an export that refuses an argument leaves its log."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import torch

import onnx_export
from onnx_diagnostics import DiagnosticContext, OnnxExporterError, read_sarif

X = torch.randn(3, 4)

SCRIPT = """
import io, sys, warnings
import torch, onnx_export
from onnx_diagnostics import DiagnosticError

class Talking(torch.nn.Module):
    def forward(self, x):
        warnings.warn("the model's own")
        return x * 2 if x.shape[1] > 2 else x

class Counting(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = torch.nn.Dropout()
        self.register_buffer("count", torch.zeros(()))
    def forward(self, x):
        self.count += 1
        return self.drop(x) + self.count

def wrong(op, self):
    return op.Reshape(self, [1])

x = torch.randn(3, 4)
rows = {"dynamic_axes": {"x": {0: "rows"}}}
for dynamo in (True, False):
    options = {"verbose": %s, "dynamo": dynamo}
    for model in (Talking(), Counting()):
        onnx_export.export(
            model, (x,), io.BytesIO(), do_constant_folding=False, training=1, **options, **rows)
    try:
        onnx_export.export(torch.nn.ReLU(), (x,), verify=True, custom_translation_table={
            torch.ops.aten.relu.default: wrong}, **options)
    except DiagnosticError:
        pass
    else:
        raise AssertionError("a wrong translation went through")
"""


def errors_of(verbose: str) -> str:
    command = [sys.executable, "-W", "always", "-c", SCRIPT % verbose]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout == ""
    return done.stderr


def test_a_silent_export_writes_nothing() -> None:
    assert errors_of("False") == ""


def test_another_warns() -> None:
    told = errors_of("None")
    for text in ("JIT002", "DeprecationWarning", "the model's own"):
        assert text in told


def test_what_is_not_warned_of_is_found() -> None:
    class Counting(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.count: torch.Tensor
            self.register_buffer("count", torch.zeros(()))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.count += 1
            return x + self.count

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        program = onnx_export.export(Counting(), (X,), verbose=False, do_constant_folding=False)
        assert caught == []
        warnings.warn("after the export", stacklevel=1)
    assert len(caught) == 1
    assert {"JIT002", "EXP003"} <= {found.rule.code for found in program.diagnostics}


REFUSED: Mapping[str, Mapping[str, object]] = {
    "args": {"args": 3},
    "artifacts": {"diagnostics": 3},
    "custom_opsets": {"custom_opsets": 3},
    "custom_translation_table": {"custom_translation_table": {"x": X}},
    "decompose": {"decompose": 3},
    "dynamic_shapes": {"dynamo": False, "dynamic_shapes": {"x": {0: "a"}}},
    "export_modules_as_functions": {"export_modules_as_functions": 3},
    "f": {"f": 3},
    "input_names": {"input_names": ["a", "a"]},
    "kwargs": {"kwargs": 3},
    "model": {"model": 3},
    "operator_export_type": {"operator_export_type": "NONE"},
    "opset_version": {"opset_version": 3},
    "output_names": {"output_names": ["a", "b"]},
    "training": {"training": "yes"},
}


@pytest.mark.parametrize("options", REFUSED.values(), ids=REFUSED)
def test_a_refused_argument_is_in_the_log(options: Mapping[str, object], tmp_path: Path) -> None:
    function: Callable[..., object] = onnx_export.export
    given = {"model": torch.nn.ReLU(), "args": (X,), "report": True, "artifacts_dir": tmp_path, **options}
    with pytest.raises((TypeError, ValueError)) as caught:
        function(**given, verbose=False)
    (log,) = tmp_path.glob("*.sarif")
    (run,) = read_sarif(log)
    assert not run.successful
    (found,) = [found for found in run.diagnostics if found.rule.code == "EXP018"]
    assert f"{type(caught.value).__name__}: {caught.value}" in found.message
    assert json.loads(log.read_text(encoding="utf-8"))["runs"][0]["invocations"][0]["endTimeUtc"]
    for kind in ("md", "html"):
        (report,) = tmp_path.glob(f"*.report.{kind}")
        assert "EXP018" in report.read_text(encoding="utf-8")


def test_what_the_model_raises_is_no_argument_s_fault() -> None:
    class Refusing(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            raise ValueError("not these")

    context = DiagnosticContext("test", "1")
    with pytest.raises(OnnxExporterError):
        onnx_export.export(Refusing(), (X,), diagnostics=context, verbose=False)
    assert "EXP018" not in {found.rule.code for found in context}
