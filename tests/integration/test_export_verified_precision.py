"""Verification allows what the precision of the computation allows, whatever the dtype of the output."""

from __future__ import annotations

import pytest
import torch

import onnx_export
from onnx_export._precision import Tolerances

HALF, SINGLE = onnx_export.TOLERANCES[torch.float16], onnx_export.TOLERANCES[torch.float32]
X = torch.randn(5, 64, generator=torch.Generator().manual_seed(0))


class Autocast(torch.nn.Module):
    """Sums in float16 that come out in float32, and one that is float32 throughout."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.last = torch.nn.Linear(64, 97), torch.nn.Linear(97, 13)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        with torch.autocast("cpu", torch.float16):
            y = self.last(self.first(x).relu())
        return y.float(), x * 2


class Writing(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.zeros_like(x)
        y[:, :2] = (x.half() * 3)[:, :2]
        return y


class Branching(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = torch.cond(
            x.sum() > 0, lambda x: (x.half() * 3).float(), lambda x: x * 3, (x,)
        )
        return result


class Given(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.float() * 3


def allowed(model: torch.nn.Module, x: torch.Tensor = X) -> list[float]:
    program = onnx_export.export(model.eval(), (x,), verbose=False)
    tolerances = Tolerances(program, onnx_export.TOLERANCES)
    return [tolerances.of(str(value.name))[torch.float32] for value in program.model.graph.outputs]


def test_a_model_under_autocast_is_verified() -> None:
    torch.manual_seed(0)
    program = onnx_export.export(Autocast().eval(), (X,), verify=True, verbose=False)
    half, single = onnx_export.verify(program)
    assert half.largest_difference > SINGLE * float(program(X)[0].abs().max())
    assert single.largest_difference == 0


def test_an_output_has_the_tolerance_of_what_leads_to_it() -> None:
    assert allowed(Autocast()) == [HALF, SINGLE]


@pytest.mark.parametrize("model", [Writing, Branching])
def test_writes_and_branches_are_followed(model: type[torch.nn.Module]) -> None:
    assert allowed(model()) == [HALF]


def test_what_is_given_in_lower_precision_is_not_computed_so() -> None:
    assert allowed(Given(), X.half()) == [SINGLE]
