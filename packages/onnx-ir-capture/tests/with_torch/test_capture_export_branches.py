"""What a user reads when torch cannot take a branch or a loop body into the graph, and at which line."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import pytest
import torch

from onnx_diagnostics import CaptureError, DiagnosticContext
from onnx_ir_capture.fx import capture
from onnx_ir_capture.rules import CAPTURE_FAILED

X, CHOICE = torch.ones(3, 4), torch.tensor(True)
Branch = Callable[[torch.Tensor], torch.Tensor]


class Chooses(torch.nn.Module):
    """One branch that adds, and another."""

    def __init__(self, branch: Branch) -> None:
        super().__init__()
        self.branch = branch

    def forward(self, x: torch.Tensor, choice: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = torch.cond(choice, self.branch, lambda x: x + 1, (x,))
        return result


ROWS: list[torch.Tensor] = []


def same(x: torch.Tensor) -> torch.Tensor:
    return x


def viewed(x: torch.Tensor) -> torch.Tensor:
    return x.view(3, 4)


def integers(x: torch.Tensor) -> torch.Tensor:
    return x.int()


def asking(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:
        return x + 2
    return x + 3


def keeping(x: torch.Tensor) -> torch.Tensor:
    ROWS.append(x)
    return x + 2


@pytest.mark.parametrize(
    ("branch", "reason", "advice", "line"),
    [
        (same, "its own input", ".clone()", None),
        (viewed, "a view of it", ".clone()", None),
        (integers, "expected same dtype but got torch.int32 and torch.float32", "branches", None),
        (asking, "asks a tensor for its value", "torch.where", 1),
        (keeping, "changes something outside of itself", "return the new value", 1),
    ],
)
def test_branches_that_torch_does_not_take(
    branch: Branch, reason: str, advice: str, line: int | None
) -> None:
    with pytest.raises(CaptureError) as caught:
        capture(Chooses(branch), (X, CHOICE), diagnostics=DiagnosticContext("test", "1"))
    (finding,) = caught.value.diagnostics
    assert finding.rule == CAPTURE_FAILED
    assert reason in finding.message
    assert "torch.cond" in finding.message
    assert finding.message.count("\n") == 0
    assert advice in finding.advice
    call = inspect.getsourcelines(Chooses.forward)[1] + 1
    wanted = call if line is None else inspect.getsourcelines(branch)[1] + line
    assert finding.location is not None
    assert (finding.location.file, finding.location.line) == (__file__, wanted)
