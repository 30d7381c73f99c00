"""What a user reads when a model cannot be captured, and at which line."""

from __future__ import annotations

import pytest
import torch

from onnx_diagnostics import CaptureError, Diagnostic, DiagnosticContext
from onnx_ir_capture.fx import Capturable, capture
from onnx_ir_capture.rules import CAPTURE_FAILED, DATA_DEPENDENT, FORWARD_RAISED

X = torch.ones(2, 3)


def failure(model: Capturable, *args: object) -> tuple[CaptureError, Diagnostic]:
    with pytest.raises(CaptureError) as caught:
        capture(model, args, diagnostics=DiagnosticContext("test", "1"))
    (finding,) = caught.value.diagnostics
    return caught.value, finding


def line_of(finding: Diagnostic) -> int | None:
    assert finding.location is not None
    assert finding.location.file == __file__
    return finding.location.line


class Outer(torch.nn.Module):
    def __init__(self, inner: torch.nn.Module) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.inner(x)
        return result + 1


class Raising(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        raise KeyError("no such thing")


class Branching(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:
            return x
        return -x


class Indexing(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.zeros(int(x.sum().item()))


def test_exception_of_the_model() -> None:
    error, finding = failure(Outer(Raising()).eval(), X)
    assert finding.rule == FORWARD_RAISED
    assert "KeyError" in finding.message
    assert "no such thing" in finding.message
    assert isinstance(error.__cause__, KeyError)
    assert line_of(finding) == Raising.forward.__code__.co_firstlineno + 1
    assert [place.line for place in finding.related] == [Outer.forward.__code__.co_firstlineno + 1]


@pytest.mark.parametrize("inner", [Branching, Indexing])
def test_data_dependent_control_flow(inner: type[torch.nn.Module]) -> None:
    _, finding = failure(Outer(inner()).eval(), X)
    assert finding.rule == DATA_DEPENDENT
    assert finding.message.count("\n") == 0
    assert "TORCH_LOGS" not in finding.message
    assert "torch.where" in finding.advice
    assert line_of(finding) == inner.forward.__code__.co_firstlineno + 1


def test_operands_that_do_not_fit_in_a_layer_of_torch() -> None:
    _, finding = failure(torch.nn.Linear(4, 4).eval(), X)
    assert finding.rule == FORWARD_RAISED
    assert finding.location is not None
    assert str(finding.location.file).endswith("linear.py")


def test_input_that_torch_does_not_take() -> None:
    error, finding = failure(lambda x: x, object())
    assert finding.rule == CAPTURE_FAILED
    assert "Unsupported input type" in finding.message
    assert error.__cause__ is not None
