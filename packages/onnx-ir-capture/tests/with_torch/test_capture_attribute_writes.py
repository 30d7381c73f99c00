"""State in Python attributes, on both routes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from onnx_diagnostics import DiagnosticContext, Level
from onnx_ir_capture.fx import capture
from onnx_ir_capture.rules import ATTRIBUTE_DROPPED
from onnx_ir_capture.torchscript import capture_script

ROUTES = pytest.mark.parametrize("route", [capture, capture_script], ids=["export", "trace"])


class Counts(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self.scale = 2.0
        self.last: torch.Tensor | None = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.count += 1
        self.scale = 2.0
        self.last = None
        return x + self.count


class Holds(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = Counts()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.seen = x.shape[1]
        result: torch.Tensor = self.inner(x)
        return result


@ROUTES
def test_a_number_that_the_next_call_sees_is_a_warning(route: Callable[..., object]) -> None:
    diagnostics = DiagnosticContext("tests", "0")
    model = Holds().eval()
    route(model, (torch.ones(2, 3),), diagnostics=diagnostics)
    found = {finding.message.split()[5].rstrip(","): finding for finding in diagnostics.diagnostics}
    assert {name: finding.level for name, finding in found.items()} == {
        "seen": Level.NOTE,
        "inner.count": Level.WARNING,
    }
    for name, line in (("seen", Holds), ("inner.count", Counts)):
        assert found[name].rule == ATTRIBUTE_DROPPED
        place = found[name].location
        assert place is not None
        assert (place.file, place.line) == (__file__, line.forward.__code__.co_firstlineno + 1)
    assert model.inner.count == 0
    assert not hasattr(model, "seen")


def test_the_class_of_all_modules_is_as_before() -> None:
    before = torch.nn.Module.__setattr__
    capture(torch.nn.ReLU(), (torch.ones(2),), diagnostics=DiagnosticContext("tests", "0"))
    assert torch.nn.Module.__setattr__ is before
