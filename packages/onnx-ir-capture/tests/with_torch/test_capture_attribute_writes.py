"""State in Python attributes, on both routes."""

from __future__ import annotations

from collections import defaultdict, deque
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


class Collects(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[int] = []
        self.recent: deque[int] = deque([1], maxlen=2)
        self.nested: dict[str, list[int]] = {"sizes": []}
        self.known: dict[int, float] = {}
        self.same: list[int] = [1]
        self.by_name: defaultdict[str, list[int]] = defaultdict(list)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.seen.append(x.shape[1])
        self.recent.append(x.shape[1])
        self.nested["sizes"].append(x.shape[1])
        self.known[x.shape[1]] = 0.5
        self.by_name["x"].append(2)
        self.same.append(2)
        self.same.pop()
        return x + len(self.seen)


@ROUTES
def test_containers_that_change_are_told_of_and_put_back(route: Callable[..., object]) -> None:
    diagnostics = DiagnosticContext("tests", "0")
    model = Collects().eval()
    route(model, (torch.ones(2, 3),), diagnostics=diagnostics)
    first = Collects.forward.__code__.co_firstlineno
    found = [
        (finding.message.split()[5].rstrip(","), finding.level, finding.location and finding.location.line)
        for finding in diagnostics.diagnostics
    ]
    assert found == [
        ("seen", Level.WARNING, first + 1),
        ("recent", Level.WARNING, first + 2),
        ("nested", Level.WARNING, first + 3),
        ("known", Level.NOTE, first + 4),
        ("by_name", Level.NOTE, first + 5),
    ]
    assert (model.seen, list(model.recent), model.recent.maxlen) == ([], [1], 2)
    assert (model.nested, model.known, dict(model.by_name), model.same) == ({"sizes": []}, {}, {}, [1])
