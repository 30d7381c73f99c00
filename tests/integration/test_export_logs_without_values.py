"""No values of weights or inputs are in a log or report, whatever an exception or a comparison says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

import onnx_export
from onnx_diagnostics import DiagnosticError, OnnxExporterError
from onnx_export._without_values import elided
from onnx_ir_capture.contracts import Value
from onnx_torchlib import Op

SECRET = 0.3457
X = torch.full((2, 3), SECRET)


class Raising(torch.nn.Module):
    def __init__(self, told: object) -> None:
        super().__init__()
        self.told = (told,)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        raise ValueError(f"bad {self.told[0]}, of shape [2, 3]")


def written(folder: Path) -> list[str]:
    files = sorted(folder.iterdir())
    assert [file.name.partition(".")[2] for file in files] == ["report.html", "report.md", "sarif"]
    return [file.read_text(encoding="utf-8") for file in files]


@pytest.mark.parametrize("dynamo", [True, False])
@pytest.mark.parametrize(
    "told",
    [lambda x: x, lambda x: torch.nn.Parameter(x), lambda x: x.numpy(), lambda x: [x.numpy(), x]],
    ids=["tensor", "parameter", "array", "list"],
)
def test_the_model_s_own_exception(
    told: Callable[[torch.Tensor], object], dynamo: bool, tmp_path: Path
) -> None:
    with pytest.raises(OnnxExporterError, match=str(SECRET)) as caught:
        onnx_export.export(
            Raising(told(X)), (X,), dynamo=dynamo, report=True, artifacts_dir=tmp_path, verbose=False
        )
    assert str(SECRET) in str(caught.value)
    for text in written(tmp_path):
        assert str(SECRET) not in text
        assert "bad " in text
        assert "of shape [2, 3]" in text


def test_a_comparison_gives_differences_alone(tmp_path: Path) -> None:
    def off(op: Op, self: Value) -> object:
        return op.Add(op.Exp(self), 1.0)

    with pytest.raises(DiagnosticError, match="EXP002"):
        onnx_export.export(
            torch.exp,
            (X,),
            verify=True,
            custom_translation_table={torch.ops.aten.exp.default: off},
            report=True,
            artifacts_dir=tmp_path,
            verbose=False,
        )
    shown = [f"{number:.4f}" for number in (SECRET, X.exp()[0, 0].item(), X.exp()[0, 0].item() + 1)]
    for text in written(tmp_path):
        assert "by up to 1" in text
        assert not any(number in text for number in shown)


def test_arguments_that_are_told(tmp_path: Path) -> None:
    wrong: Callable[..., object] = onnx_export.export
    with pytest.raises(TypeError, match=str(SECRET)):
        wrong(torch.nn.ReLU(), (X,), decompose=X, report=True, artifacts_dir=tmp_path, verbose=False)
    for text in written(tmp_path):
        assert str(SECRET) not in text
        assert "decompose must be True, False" in text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"of {torch.ones(2)} and {torch.ones(2, dtype=torch.float16)}!", "of tensor(…) and tensor(…)!"),
        (f"{torch.zeros(2, 2, 2)} (so)", "tensor(…) (so)"),
        (f"{np.ones((2, 2))!r}, {np.ones((2, 2))}", "array(…), […]"),
        (f"{np.array([1e-20, np.nan, -np.inf])}", "[…]"),
        ("Tensor: \n 0.3457  1e-05\n[ torch.FloatTensor{2} ] so", "Tensor: \n … [ torch.FloatTensor{2} ] so"),
        (
            "of\n(1,.,.) = \n  1  2\n\n(2,.,.) = \n -1 nan\n[ CPUFloatType{2,1,2} ]",
            "of\n… [ CPUFloatType{2,1,2} ]",
        ),
        ("0.01 *\nColumns 1 to 2\n 3.1  4.2\nColumns 3 to 3\n 1\n[ Type{1,3} ]", "… [ Type{1,3} ]"),
        ("cut tensor([[1., 2.", "cut tensor(…)"),
        ("shape [2, 3] or (2, 3), [1], axes [-1]", "shape [2, 3] or (2, 3), [1], axes [-1]"),
        ("FakeTensor(..., size=(3, 4))", "FakeTensor(..., size=(3, 4))"),
        ("aten::tensor.int, as_tensor(x)", "aten::tensor.int, as_tensor(x)"),
    ],
)
def test_what_is_left_out(text: str, shown: str) -> None:
    assert elided(text) == shown
